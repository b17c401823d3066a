package io.tidemark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A bit of a batch in a segment file that was turned over, behind the back of whoever has the file open.
 *
 * <pre>
 * a batch: base offset 8 | length of what follows 4 | ... | checksum 4 at 17 | ... | last offset delta 4 at 23 | ...
 * </pre>
 */
final class SegmentRot {
    private static final int HEADER_BYTES = 61;
    private static final int LENGTH_AT = 8;
    private static final int BEFORE_LENGTH_BYTES = 12;
    private static final int CHECKSUM_AT = 17;
    private static final int CHECKSUM_COVERS_FROM = 21;
    private static final int LAST_OFFSET_DELTA_AT = 23;
    private static final String SUFFIX = ".log";

    private final Path folder;
    private final long offset;

    private SegmentRot(Path folder, long offset) {
        this.folder = folder;
        this.offset = offset;
    }

    /** The last bit of the batch that holds an offset: its checksum covers it, and nothing else depends on it. */
    static SegmentRot flipBit(Path folder, long offset) {
        SegmentRot rot = new SegmentRot(folder, offset);
        if (!rot.flip(false)) {
            throw new IllegalArgumentException("There is no batch with offset [" + offset + "] in " + folder);
        }
        return rot;
    }

    /** Turns the bit back where the batch is still there as it rotted, and else leaves everything as it is. */
    void heal() {
        flip(true);
    }

    private boolean flip(boolean back) {
        try {
            for (Path segment : segments(folder)) {
                if (flipBitIn(segment, offset, back)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not flip a bit in " + folder, e);
        }
    }

    private static List<Path> segments(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    private static boolean flipBitIn(Path segment, long offset, boolean back) throws IOException {
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
            long position = 0;
            while (position + HEADER_BYTES <= channel.size()) {
                channel.read(header.clear(), position);
                long baseOffset = header.getLong(0);
                long end = position + BEFORE_LENGTH_BYTES + header.getInt(LENGTH_AT);
                if (offset < baseOffset) {
                    return false;
                }
                if (offset <= baseOffset + header.getInt(LAST_OFFSET_DELTA_AT)) {
                    if (!back || isRotten(channel, position, end)) {
                        flipBitAt(channel, end - 1);
                    }
                    return true;
                }
                position = end;
            }
            return false;
        }
    }

    private static boolean isRotten(FileChannel channel, long position, long end) throws IOException {
        ByteBuffer batch = ByteBuffer.allocate((int) Math.min(end - position, channel.size() - position));
        channel.read(batch, position);
        int expected = batch.getInt(CHECKSUM_AT);
        CRC32C checksum = new CRC32C();
        checksum.update(batch.flip().position(CHECKSUM_COVERS_FROM));
        return (int) checksum.getValue() != expected;
    }

    private static void flipBitAt(FileChannel channel, long position) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        channel.read(one, position);
        one.put(0, (byte) (one.get(0) ^ 1));
        channel.write(one.flip(), position);
    }
}
