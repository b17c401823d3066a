package io.tidemark.broker.log;

import io.tidemark.broker.record.TimestampType;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a topic's configs mean to its logs.
 *
 * @param segmentBytes a segment rolls before it grows larger
 * @param segmentMs a segment rolls when its first batch is older
 * @param segmentIndexBytes the greatest size of an index file, and its sparse size while it is written to
 * @param indexIntervalBytes bytes of log between index entries
 * @param retentionBytes the log's size above which old segments go, -1 for never
 * @param retentionMs the age above which segments go, -1 for never
 * @param maxMessageBytes the greatest size of a batch from a client
 * @param compact whether {@code cleanup.policy} holds {@code compact}
 * @param delete whether {@code cleanup.policy} holds {@code delete}
 * @param timestampType whose clock the records' timestamps are from
 * @param timestampBeforeMaxMs how far a producer's timestamp may lie behind the broker's clock
 * @param timestampAfterMaxMs how far a producer's timestamp may lie ahead of the broker's clock
 * @param fileDeleteDelayMs how long a deleted segment's file stays, for readers that still have it
 */
public record LogConfig(
        int segmentBytes,
        long segmentMs,
        int segmentIndexBytes,
        int indexIntervalBytes,
        long retentionBytes,
        long retentionMs,
        int maxMessageBytes,
        boolean compact,
        boolean delete,
        TimestampType timestampType,
        long timestampBeforeMaxMs,
        long timestampAfterMaxMs,
        long fileDeleteDelayMs) {
    /** Kafka's defaults. */
    public static final LogConfig DEFAULTS = fromTopicConfigs(name -> null);

    /**
     * Reads the topic's configs.
     *
     * @param values the value of a topic config by Kafka's name ({@code segment.bytes}, ...), null for the default
     * @throws IllegalArgumentException if a value is not of its type; the message names the config
     */
    public static LogConfig fromTopicConfigs(Function<String, @Nullable String> values) {
        TopicConfigReader reader = new TopicConfigReader(values);
        return new LogConfig(
                reader.intValue("segment.bytes", 1024 * 1024 * 1024),
                reader.longValue("segment.ms", 7L * 24 * 60 * 60 * 1000),
                reader.intValue("segment.index.bytes", 10 * 1024 * 1024),
                reader.intValue("index.interval.bytes", 4096),
                reader.longValue("retention.bytes", -1),
                reader.longValue("retention.ms", 7L * 24 * 60 * 60 * 1000),
                reader.intValue("max.message.bytes", 1024 * 1024 + 12),
                reader.listHolds("cleanup.policy", "compact", false),
                reader.listHolds("cleanup.policy", "delete", true),
                TimestampType.forConfigName(reader.text("message.timestamp.type", "CreateTime")),
                reader.longValue("message.timestamp.before.max.ms", Long.MAX_VALUE),
                reader.longValue("message.timestamp.after.max.ms", 60L * 60 * 1000),
                reader.longValue("file.delete.delay.ms", 60L * 1000));
    }
}
