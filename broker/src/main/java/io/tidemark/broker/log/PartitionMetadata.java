package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * {@code partition.metadata}: which topic a partition folder belongs to, so that a folder of a deleted topic is never
 * taken for its namesake's. Two lines, {@code version: 0} and {@code topic_id: } with the id.
 *
 * <p>Crash policy: written when the folder is made, forced with the log's first flush. A power loss before that takes
 * the records too.
 */
final class PartitionMetadata {
    private static final String VERSION = "version: ";
    private static final String TOPIC_ID = "topic_id: ";
    private static final int ID_LENGTH = 22;

    private PartitionMetadata() {}

    static void write(Disk disk, Path file, Uuid topicId) throws IOException {
        disk.rewrite(file, (VERSION + "0\n" + TOPIC_ID + topicId).getBytes(StandardCharsets.UTF_8));
    }

    /** Whether bytes are missing at the end, or were never written; see the crash policy. */
    private static boolean isTorn(String text) {
        String beginning = VERSION + "0\n" + TOPIC_ID;
        return text.indexOf('\0') >= 0
                || beginning.startsWith(text)
                || (text.startsWith(beginning) && text.length() < beginning.length() + ID_LENGTH);
    }

    /** The id, or zero where there is no file, or one that a power loss left empty or torn. */
    static Uuid read(Disk disk, Path file) throws IOException {
        if (!disk.exists(file)) {
            return Uuid.ZERO;
        }
        String text = new String(disk.readAll(file), StandardCharsets.UTF_8);
        if (isTorn(text)) {
            return Uuid.ZERO;
        }
        String[] lines = text.split("\n", -1);
        if (lines.length < 2 || !lines[0].equals(VERSION + "0") || !lines[1].startsWith(TOPIC_ID)) {
            throw new IOException("File " + file + " holds [" + text + "]; expected the lines [" + VERSION + "0] and ["
                    + TOPIC_ID + "<id>]");
        }
        try {
            return Uuid.fromString(lines[1].substring(TOPIC_ID.length()).trim());
        } catch (IllegalArgumentException e) {
            throw new IOException("File " + file + " has a topic id that is none: " + e.getMessage(), e);
        }
    }
}
