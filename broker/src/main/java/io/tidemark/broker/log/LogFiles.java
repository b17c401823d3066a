package io.tidemark.broker.log;

import java.nio.file.Path;

/** Kafka's names of the files of a log: 20 digits of an offset, and what the file is. */
final class LogFiles {
    static final String LOG = ".log";
    static final String OFFSET_INDEX = ".index";
    static final String TIME_INDEX = ".timeindex";
    static final String TRANSACTION_INDEX = ".txnindex";
    static final String PRODUCER_SNAPSHOT = ".snapshot";
    static final String DELETED = ".deleted";
    static final String CLEANED = ".cleaned";
    static final String SWAP = ".swap";
    static final String LEADER_EPOCHS = "leader-epoch-checkpoint";
    static final String PARTITION_METADATA = "partition.metadata";

    private static final int DIGITS = 20;

    private LogFiles() {}

    static Path of(Path directory, long offset, String suffix) {
        String digits = Long.toString(offset);
        return directory.resolve("0".repeat(DIGITS - digits.length()) + digits + suffix);
    }

    /** The offset that a file is named by, or -1 where it is not named by one. */
    static long offsetOf(Path file) {
        String name = file.getFileName().toString();
        int dot = name.indexOf('.');
        if (dot != DIGITS) {
            return -1;
        }
        try {
            return Long.parseLong(name.substring(0, dot));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static boolean isA(Path file, String suffix) {
        return file.getFileName().toString().endsWith(suffix);
    }
}
