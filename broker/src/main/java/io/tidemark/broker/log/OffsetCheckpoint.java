package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An offset for each partition of a log directory, in a {@link CheckpointFile} of {@code topic partition offset} lines.
 *
 * <p>Crash policy: the file is replaced as a whole but not forced. A killed process leaves the old or the new one; a
 * power loss may leave one that cannot be read, which counts as empty. Each use of it bears that: a missing recovery
 * point means to recover from the start, a missing high watermark to learn it again from the leader, a missing log start
 * to begin with the first segment, a missing offset of the cleaner to look at the whole log again.
 */
final class OffsetCheckpoint {
    private static final NodeLog LOG = NodeLog.of(OffsetCheckpoint.class);
    private static final int FIELDS = 3;

    private final Disk disk;
    private final Path path;

    /** What the file holds; null as long as nobody has looked. */
    private @Nullable Map<TopicPartition, Long> written;

    OffsetCheckpoint(Disk disk, Path path) {
        this.disk = disk;
        this.path = path;
    }

    Path path() {
        return path;
    }

    Map<TopicPartition, Long> read() throws IOException {
        Map<TopicPartition, Long> offsets = readFile();
        written = new TreeMap<>(offsets);
        return offsets;
    }

    private Map<TopicPartition, Long> readFile() throws IOException {
        if (!disk.exists(path)) {
            return new TreeMap<>();
        }
        byte[] content = disk.readAll(path);
        try {
            Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
            for (String[] fields : CheckpointFile.parse(path, content, FIELDS)) {
                int partition = (int) CheckpointFile.number(path, 0, fields[1]);
                offsets.put(new TopicPartition(fields[0], partition), CheckpointFile.number(path, 0, fields[2]));
            }
            return offsets;
        } catch (IOException e) {
            LOG.warn("Going on without the offsets of a checkpoint that cannot be read: {}", e.getMessage());
            return new TreeMap<>();
        }
    }

    /** What was last read or written. */
    Map<TopicPartition, Long> written() throws IOException {
        Map<TopicPartition, Long> known = written;
        return known == null ? read() : known;
    }

    void write(Map<TopicPartition, Long> offsets) throws IOException {
        written = new TreeMap<>(offsets);
        disk.rewrite(path, format(offsets));
    }

    /** Writes so that no older content can come back. */
    void writeDurably(Map<TopicPartition, Long> offsets) throws IOException {
        written = new TreeMap<>(offsets);
        disk.replace(path, format(offsets));
    }

    /** Sees to it that no offset above this one can be found for a partition, durably. */
    void lower(TopicPartition partition, long offset) throws IOException {
        if (written().getOrDefault(partition, 0L) > offset) {
            Map<TopicPartition, Long> offsets = new TreeMap<>(written());
            offsets.put(partition, offset);
            writeDurably(offsets);
        }
    }

    /** Sees to it that no offset can be found for a partition, durably. */
    void forget(TopicPartition partition) throws IOException {
        if (written().containsKey(partition)) {
            Map<TopicPartition, Long> offsets = new TreeMap<>(written());
            offsets.remove(partition);
            writeDurably(offsets);
        }
    }

    private static byte[] format(Map<TopicPartition, Long> offsets) {
        List<String> lines = new ArrayList<>(offsets.size());
        for (Map.Entry<TopicPartition, Long> entry : new TreeMap<>(offsets).entrySet()) {
            TopicPartition partition = entry.getKey();
            lines.add(partition.topic() + " " + partition.partition() + " " + entry.getValue());
        }
        return CheckpointFile.format(lines);
    }
}
