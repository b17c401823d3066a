package io.tidemark.broker.disk;

/**
 * The room on the volume of a folder.
 *
 * @param totalBytes all of it; -1 where that is not known
 * @param usableBytes what is left for this process; -1 where that is not known
 */
public record DiskSpace(long totalBytes, long usableBytes) {
    public static final DiskSpace UNKNOWN = new DiskSpace(-1, -1);
}
