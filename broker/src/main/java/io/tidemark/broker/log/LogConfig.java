package io.tidemark.broker.log;

import io.tidemark.broker.config.ConfigKey;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.TopicConfigs;
import io.tidemark.broker.record.CompressionType;
import io.tidemark.broker.record.TimestampType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a topic's configs mean to its logs.
 *
 * @param segmentBytes a segment rolls before it grows larger
 * @param segmentMs a segment rolls when its first batch is older
 * @param segmentIndexBytes the greatest size of an index file, and its sparse size while it is written to
 * @param earlyIndexes whether index files are there from a segment's start, as Kafka's are, and not from their first entry
 * @param indexIntervalBytes bytes of log between index entries
 * @param retentionBytes the log's size above which old segments go, -1 for never
 * @param retentionMs the age above which segments go, -1 for never
 * @param maxMessageBytes the greatest size of a batch from a client
 * @param compact whether {@code cleanup.policy} holds {@code compact}
 * @param delete whether {@code cleanup.policy} holds {@code delete}
 * @param compression what batches are stored in, null where they stay as their producer compressed them
 * @param timestampType whose clock the records' timestamps are from
 * @param timestampBeforeMaxMs how far a producer's timestamp may lie behind the broker's clock
 * @param timestampAfterMaxMs how far a producer's timestamp may lie ahead of the broker's clock
 * @param fileDeleteDelayMs how long a deleted segment's file stays, for readers that still have it
 * @param minCleanableDirtyRatio the share of a log that must be uncompacted before it is compacted
 * @param minCompactionLagMs how long a record stays uncompacted at least
 * @param maxCompactionLagMs after how long a record is compacted whatever the ratio
 * @param segmentJitterMs by how much the age at which a segment rolls is shortened at most, so that not all roll at once
 * @param preallocate whether a segment's file has its full size from the start
 * @param flushMessages the log is forced when it has so many records that are not
 * @param flushMs the log is forced when its first record that is not durable waits for so long
 * @param deleteRetentionMs how long compaction keeps tombstones and markers, for readers that are behind
 */
public record LogConfig(
        int segmentBytes,
        long segmentMs,
        int segmentIndexBytes,
        boolean earlyIndexes,
        int indexIntervalBytes,
        long retentionBytes,
        long retentionMs,
        int maxMessageBytes,
        boolean compact,
        boolean delete,
        @Nullable CompressionType compression,
        TimestampType timestampType,
        long timestampBeforeMaxMs,
        long timestampAfterMaxMs,
        long fileDeleteDelayMs,
        double minCleanableDirtyRatio,
        long minCompactionLagMs,
        long maxCompactionLagMs,
        long segmentJitterMs,
        boolean preallocate,
        long flushMessages,
        long flushMs,
        long deleteRetentionMs) {
    /** Kafka's defaults. */
    public static final LogConfig DEFAULTS = of(TopicConfigs.DEFINITION.defaults());

    /** What a topic's effective configs say; see {@link TopicConfigs#effective}. */
    public static LogConfig of(ConfigValues values) {
        List<String> cleanupPolicy = values.listValue(TopicConfigs.CLEANUP_POLICY);
        boolean compact = cleanupPolicy.contains("compact");
        long segmentMs = values.longValue(TopicConfigs.SEGMENT_MS);
        long maxCompactionLagMs = values.longValue(TopicConfigs.MAX_COMPACTION_LAG_MS);
        return new LogConfig(
                (int) values.longOr(TopicConfigs.INTERNAL_SEGMENT_BYTES, values.intValue(TopicConfigs.SEGMENT_BYTES)),
                // The active segment is not compacted, so it must not outlast the time for that (KIP-354).
                compact ? Math.min(segmentMs, maxCompactionLagMs) : segmentMs,
                values.intValue(TopicConfigs.SEGMENT_INDEX_BYTES),
                true,
                values.intValue(TopicConfigs.INDEX_INTERVAL_BYTES),
                values.longValue(TopicConfigs.RETENTION_BYTES),
                values.longValue(TopicConfigs.RETENTION_MS),
                values.intValue(TopicConfigs.MAX_MESSAGE_BYTES),
                compact,
                cleanupPolicy.contains("delete"),
                compressionOf(values.stringValue(TopicConfigs.COMPRESSION_TYPE)),
                TimestampType.forConfigName(values.stringValue(TopicConfigs.MESSAGE_TIMESTAMP_TYPE)),
                values.longValue(TopicConfigs.MESSAGE_TIMESTAMP_BEFORE_MAX_MS),
                values.longValue(TopicConfigs.MESSAGE_TIMESTAMP_AFTER_MAX_MS),
                values.longValue(TopicConfigs.FILE_DELETE_DELAY_MS),
                values.doubleValue(TopicConfigs.MIN_CLEANABLE_DIRTY_RATIO),
                values.longValue(TopicConfigs.MIN_COMPACTION_LAG_MS),
                maxCompactionLagMs,
                values.longValue(TopicConfigs.SEGMENT_JITTER_MS),
                values.booleanValue(TopicConfigs.PREALLOCATE),
                values.longValue(TopicConfigs.FLUSH_MESSAGES),
                values.longValue(TopicConfigs.FLUSH_MS),
                values.longValue(TopicConfigs.DELETE_RETENTION_MS));
    }

    /** The same, for a log whose index files come with their first entry. */
    public LogConfig withLateIndexes() {
        return new LogConfig(
                segmentBytes,
                segmentMs,
                segmentIndexBytes,
                false,
                indexIntervalBytes,
                retentionBytes,
                retentionMs,
                maxMessageBytes,
                compact,
                delete,
                compression,
                timestampType,
                timestampBeforeMaxMs,
                timestampAfterMaxMs,
                fileDeleteDelayMs,
                minCleanableDirtyRatio,
                minCompactionLagMs,
                maxCompactionLagMs,
                segmentJitterMs,
                preallocate,
                flushMessages,
                flushMs,
                deleteRetentionMs);
    }

    /** The part of the jitter that a segment gets: always the same, and another than its neighbours. */
    long segmentJitterMs(Path segment) {
        long bound = Math.min(segmentJitterMs, segmentMs);
        return bound <= 0 ? 0 : new SplittableRandom(segment.toString().hashCode()).nextLong(bound);
    }

    private static @Nullable CompressionType compressionOf(String name) {
        return switch (name) {
            case "producer" -> null;
            case "uncompressed" -> CompressionType.NONE;
            default -> CompressionType.forName(name);
        };
    }

    /**
     * Reads a topic's configs.
     *
     * @param given the value of a topic config by Kafka's name ({@code segment.bytes}, ...), null for the default
     * @throws io.tidemark.broker.config.InvalidConfigException if a value is not valid
     */
    public static LogConfig fromTopicConfigs(Function<String, @Nullable String> given) {
        Map<String, String> texts = new TreeMap<>();
        for (ConfigKey key : TopicConfigs.DEFINITION.keys()) {
            String text = given.apply(key.name());
            if (text != null) {
                texts.put(key.name(), text);
            }
        }
        return of(TopicConfigs.DEFINITION.parse(texts));
    }
}
