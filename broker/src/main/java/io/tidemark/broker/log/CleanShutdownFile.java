package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code .kafka_cleanshutdown}: there while a log directory is closed in good order, with the epoch of the broker that
 * closed it, as JSON: {@code {"version":0,"brokerEpoch":7}}.
 *
 * <p>Crash policy: written last, once all logs are durable; taken away, durably, before the first log is opened: one that
 * came back would have a torn log believed. Where it is lost, there is a recovery that need not have been.
 *
 * @param present whether it was there
 * @param brokerEpoch the epoch in it, or -1
 */
record CleanShutdownFile(boolean present, long brokerEpoch) {
    static final String FILE_NAME = ".kafka_cleanshutdown";
    private static final Pattern BROKER_EPOCH = Pattern.compile("\"brokerEpoch\"\\s*:\\s*(-?\\d{1,18})");

    static CleanShutdownFile read(Disk disk, Path directory) throws IOException {
        Path file = directory.resolve(FILE_NAME);
        if (!disk.exists(file)) {
            return new CleanShutdownFile(false, -1);
        }
        Matcher epoch = BROKER_EPOCH.matcher(new String(disk.readAll(file), StandardCharsets.UTF_8));
        long brokerEpoch = epoch.find() ? Long.parseLong(epoch.group(1)) : -1;
        return new CleanShutdownFile(true, brokerEpoch);
    }

    static void delete(Disk disk, Path directory) throws IOException {
        disk.delete(directory.resolve(FILE_NAME));
        disk.forceDirectory(directory);
    }

    static void write(Disk disk, Path directory, long brokerEpoch) throws IOException {
        String text = "{\"version\":0,\"brokerEpoch\":" + brokerEpoch + "}";
        disk.replace(directory.resolve(FILE_NAME), text.getBytes(StandardCharsets.UTF_8));
    }
}
