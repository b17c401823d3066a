package io.tidemark.broker.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The text format of all of Kafka's checkpoint files: a line with the version, 0; a line with the count of entries; a
 * line for each entry, its fields apart by one blank. Every line ends with a line feed, the last too. A file without any
 * bytes has no entries.
 */
final class CheckpointFile {
    private static final int VERSION = 0;

    private CheckpointFile() {}

    static byte[] format(List<String> entries) {
        StringBuilder text = new StringBuilder(16 + entries.size() * 24);
        text.append(VERSION).append('\n').append(entries.size()).append('\n');
        for (String entry : entries) {
            text.append(entry).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The entries, split into fields.
     *
     * @param fieldCount how many fields each must have
     * @throws IOException if the file is not of the format; the message names the line
     */
    static List<String[]> parse(Path path, byte[] content, int fieldCount) throws IOException {
        if (content.length == 0) {
            return List.of();
        }
        if (content[content.length - 1] != '\n') {
            // A torn file whose last number lost digits would read well, but wrong.
            throw new IOException("Checkpoint " + path + " ends inside a line; expected a line feed at its end");
        }
        String[] lines = new String(content, StandardCharsets.UTF_8).split("\n", -1);
        long version = number(path, 1, lines[0]);
        if (version != VERSION) {
            throw new IOException("Checkpoint " + path + " has version " + version + "; expected " + VERSION);
        }
        long count = lines.length < 2 ? -1 : number(path, 2, lines[1]);
        int given = lines.length - 3;
        if (count != given) {
            throw new IOException("Checkpoint " + path + " claims " + count + " entries; found " + given);
        }
        List<String[]> entries = new ArrayList<>(given);
        for (int i = 2; i < 2 + given; i++) {
            String[] fields = lines[i].trim().split(" ", -1);
            if (fields.length != fieldCount) {
                throw new IOException("Checkpoint " + path + " has [" + lines[i] + "] in line " + (i + 1)
                        + "; expected " + fieldCount + " fields");
            }
            entries.add(fields);
        }
        return entries;
    }

    static long number(Path path, int line, String text) throws IOException {
        try {
            return Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            throw new IOException(
                    "Checkpoint " + path + " has [" + text + "] in line " + line + "; expected a number", e);
        }
    }
}
