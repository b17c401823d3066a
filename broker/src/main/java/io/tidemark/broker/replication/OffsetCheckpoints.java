package io.tidemark.broker.replication;

import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The checkpoint files of the log directories: high watermarks, recovery points and log starts. */
final class OffsetCheckpoints {
    private final List<LogDirectory> directories;

    /** High watermarks of the broker's last life, of partitions that are not hosted yet in this one. */
    private final Map<TopicPartition, Long> inherited = new HashMap<>();

    OffsetCheckpoints(List<LogDirectory> directories) throws IOException {
        this.directories = directories;
        for (LogDirectory directory : directories) {
            inherited.putAll(directory.readHighWatermarks());
        }
    }

    /** Hands over the high watermark that was written down for a partition; 0 where none was. */
    long take(TopicPartition partition) {
        Long highWatermark = inherited.remove(partition);
        return highWatermark == null ? 0 : highWatermark;
    }

    /** @param hosted the high watermark of a partition that is hosted, or null */
    void writeHighWatermarks(Function<TopicPartition, @Nullable Long> hosted) {
        for (LogDirectory directory : online()) {
            Map<TopicPartition, Long> highWatermarks = new TreeMap<>();
            for (TopicPartition partition : directory.partitions().keySet()) {
                Long now = hosted.apply(partition);
                Long known = now == null ? inherited.get(partition) : now;
                if (known != null) {
                    highWatermarks.put(partition, known);
                }
            }
            try {
                directory.writeHighWatermarks(highWatermarks);
            } catch (IOException e) {
                directory.health().fail("write its high watermarks", e);
            }
        }
    }

    private List<LogDirectory> online() {
        return directories.stream()
                .filter(directory -> directory.health().isOnline())
                .toList();
    }

    void writeLogOffsets() {
        for (LogDirectory directory : online()) {
            try {
                directory.writeCheckpoints();
            } catch (IOException e) {
                directory.health().fail("write its checkpoints", e);
            }
        }
    }
}
