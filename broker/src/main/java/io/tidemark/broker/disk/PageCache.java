package io.tidemark.broker.disk;

import java.io.IOException;

/**
 * What the system keeps of files in its memory. Safe from any thread. Every method may block for as long as the disk
 * takes, so none belongs on a loop.
 */
public interface PageCache {
    /** How much of a file is in memory now, by the size that it has now. */
    PageResidency residency(DiskFile file) throws IOException;

    /**
     * Forces a file, since only what is durable can be let go of, and has the system forget it: the next read comes from
     * the disk. What is written, mapped or on its way to a socket meanwhile stays; {@link #residency} tells.
     */
    void drop(DiskFile file) throws IOException;

    /** Reads a file through, so that the next reads come from memory as far as that suffices. */
    void warm(DiskFile file) throws IOException;
}
