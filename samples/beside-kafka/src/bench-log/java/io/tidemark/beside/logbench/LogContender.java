package io.tidemark.beside.logbench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** One log of one partition, opened in an empty folder or where another one was left. */
interface LogContender extends AutoCloseable {
    /** As a leader does for a client: validates the batch, gives it offsets and appends it. Changes the bytes. */
    void append(ByteBuffer batch) throws IOException;

    long endOffset();

    /**
     * Finds the batch of an offset and hands out bytes from there on, as a fetch does.
     *
     * @param target where the bytes go to, without passing through this process; null where they stay
     * @return the count of bytes found
     */
    int read(long offset, int maxBytes, FileChannel target) throws IOException;

    /** The offset of the first record of a timestamp or a later one. */
    long offsetForTimestamp(long timestampMs) throws IOException;

    /** Lets the log go. Not measured: the two differ in what they do at a close in good order. */
    @Override
    void close() throws IOException;

    /** Ways to open a log after a stop that was not in good order. */
    interface Opener {
        /**
         * @param recoveryPoint what is known to be durable
         * @param segmentBytes {@code segment.bytes}
         */
        LogContender open(Path folder, long recoveryPoint, int segmentBytes) throws IOException;

        /** With nothing known to be durable, and Kafka's default of {@code segment.bytes}. */
        default LogContender open(Path folder) throws IOException {
            return open(folder, 0, 1 << 30);
        }
    }

    static Opener named(String name) {
        return switch (name) {
            case "tidemark" -> TidemarkLog::open;
            case "in the fixture" -> TidemarkLog::openInFixture;
            case "kafka" -> KafkaLog::new;
            default ->
                throw new IllegalArgumentException(
                        "Contender [" + name + "] is not known; expected tidemark, in the fixture, or kafka");
        };
    }
}
