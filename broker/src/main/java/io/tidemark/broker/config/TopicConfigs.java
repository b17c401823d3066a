package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigRule.between;
import static io.tidemark.broker.config.ConfigRule.betweenReal;
import static io.tidemark.broker.config.ConfigRule.oneOf;
import static io.tidemark.broker.config.ConfigType.BOOLEAN;
import static io.tidemark.broker.config.ConfigType.DOUBLE;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LIST;
import static io.tidemark.broker.config.ConfigType.LONG;
import static io.tidemark.broker.config.ConfigType.STRING;

import io.tidemark.broker.config.ConfigKey.Synonym;
import io.tidemark.broker.config.ConfigKey.Unit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The configs of a topic: Kafka's names, defaults and rules, and the broker configs that stand behind each. */
public final class TopicConfigs {
    public static final String CLEANUP_POLICY = "cleanup.policy";
    public static final String COMPRESSION_GZIP_LEVEL = "compression.gzip.level";
    public static final String COMPRESSION_LZ4_LEVEL = "compression.lz4.level";
    public static final String COMPRESSION_TYPE = "compression.type";
    public static final String COMPRESSION_ZSTD_LEVEL = "compression.zstd.level";
    public static final String DELETE_RETENTION_MS = "delete.retention.ms";
    public static final String ERRORS_DEADLETTERQUEUE_GROUP_ENABLE = "errors.deadletterqueue.group.enable";
    public static final String FILE_DELETE_DELAY_MS = "file.delete.delay.ms";
    public static final String FLUSH_MESSAGES = "flush.messages";
    public static final String FLUSH_MS = "flush.ms";
    public static final String FOLLOWER_REPLICATION_THROTTLED_REPLICAS = "follower.replication.throttled.replicas";
    public static final String INDEX_INTERVAL_BYTES = "index.interval.bytes";
    public static final String INTERNAL_SEGMENT_BYTES = "internal.segment.bytes";
    public static final String LEADER_REPLICATION_THROTTLED_REPLICAS = "leader.replication.throttled.replicas";
    public static final String LOCAL_RETENTION_BYTES = "local.retention.bytes";
    public static final String LOCAL_RETENTION_MS = "local.retention.ms";
    public static final String MAX_COMPACTION_LAG_MS = "max.compaction.lag.ms";
    public static final String MAX_DECOMPRESSED_MESSAGE_BYTES = "max.decompressed.message.bytes";
    public static final String MAX_MESSAGE_BYTES = "max.message.bytes";
    public static final String MESSAGE_TIMESTAMP_AFTER_MAX_MS = "message.timestamp.after.max.ms";
    public static final String MESSAGE_TIMESTAMP_BEFORE_MAX_MS = "message.timestamp.before.max.ms";
    public static final String MESSAGE_TIMESTAMP_TYPE = "message.timestamp.type";
    public static final String MIN_CLEANABLE_DIRTY_RATIO = "min.cleanable.dirty.ratio";
    public static final String MIN_COMPACTION_LAG_MS = "min.compaction.lag.ms";
    public static final String MIN_INSYNC_REPLICAS = "min.insync.replicas";
    public static final String PREALLOCATE = "preallocate";
    public static final String REMOTE_COPY_LAG_BYTES = "remote.copy.lag.bytes";
    public static final String REMOTE_COPY_LAG_MS = "remote.copy.lag.ms";
    public static final String REMOTE_LOG_COPY_DISABLE = "remote.log.copy.disable";
    public static final String REMOTE_LOG_DELETE_ON_DISABLE = "remote.log.delete.on.disable";
    public static final String REMOTE_STORAGE_ENABLE = "remote.storage.enable";
    public static final String RETENTION_BYTES = "retention.bytes";
    public static final String RETENTION_MS = "retention.ms";
    public static final String SEGMENT_BYTES = "segment.bytes";
    public static final String SEGMENT_INDEX_BYTES = "segment.index.bytes";
    public static final String SEGMENT_JITTER_MS = "segment.jitter.ms";
    public static final String SEGMENT_MS = "segment.ms";
    public static final String UNCLEAN_LEADER_ELECTION_ENABLE = "unclean.leader.election.enable";

    /** All keys. */
    public static final ConfigDefinition DEFINITION = new ConfigDefinition(List.of(
            key(
                            CLEANUP_POLICY,
                            LIST,
                            "delete",
                            oneOf("compact", "delete"),
                            "What becomes of old segments: delete them, compact them by key, or both.")
                    .withSynonyms(new Synonym("log.cleanup.policy", Unit.SAME)),
            key(COMPRESSION_GZIP_LEVEL, INT, "-1", between(-1, 9), "The gzip level where compression.type is gzip.")
                    .withSynonyms(new Synonym("compression.gzip.level", Unit.SAME)),
            key(COMPRESSION_LZ4_LEVEL, INT, "9", between(1, 17), "The lz4 level where compression.type is lz4.")
                    .withSynonyms(new Synonym("compression.lz4.level", Unit.SAME)),
            key(
                            COMPRESSION_TYPE,
                            STRING,
                            "producer",
                            oneOf("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
                            "The codec of stored batches; producer keeps what the producer chose.")
                    .withSynonyms(new Synonym("compression.type", Unit.SAME)),
            key(
                            COMPRESSION_ZSTD_LEVEL,
                            INT,
                            "3",
                            between(-131072, 22),
                            "The zstd level where compression.type is zstd.")
                    .withSynonyms(new Synonym("compression.zstd.level", Unit.SAME)),
            key(
                            DELETE_RETENTION_MS,
                            LONG,
                            "86400000",
                            atLeast(0),
                            "How long a compacted topic keeps tombstones and transaction markers.")
                    .withSynonyms(new Synonym("log.cleaner.delete.retention.ms", Unit.SAME)),
            key(
                    ERRORS_DEADLETTERQUEUE_GROUP_ENABLE,
                    BOOLEAN,
                    "false",
                    ConfigRule.NONE,
                    "Whether share groups may use this topic as their dead letter queue."),
            key(FILE_DELETE_DELAY_MS, LONG, "60000", atLeast(0), "How long a deleted file stays on the disk.")
                    .withSynonyms(new Synonym("log.segment.delete.delay.ms", Unit.SAME)),
            key(
                            FLUSH_MESSAGES,
                            LONG,
                            "9223372036854775807",
                            atLeast(1),
                            "After so many records the log is forced to the disk.")
                    .withSynonyms(new Synonym("log.flush.interval.messages", Unit.SAME)),
            key(
                            FLUSH_MS,
                            LONG,
                            "9223372036854775807",
                            atLeast(0),
                            "After so long an unforced record is forced to the disk.")
                    .withSynonyms(
                            new Synonym("log.flush.interval.ms", Unit.SAME),
                            new Synonym("log.flush.scheduler.interval.ms", Unit.SAME)),
            key(
                    FOLLOWER_REPLICATION_THROTTLED_REPLICAS,
                    LIST,
                    "",
                    ConfigRule.NONE,
                    "The follower replicas whose replication is throttled."),
            key(
                            INDEX_INTERVAL_BYTES,
                            INT,
                            "4096",
                            atLeast(0),
                            "About how many bytes of log lie between two index entries.")
                    .withSynonyms(new Synonym("log.index.interval.bytes", Unit.SAME)),
            key(
                    INTERNAL_SEGMENT_BYTES,
                    INT,
                    null,
                    ConfigRule.NONE,
                    "A segment size below the least that segment.bytes allows; for tests."),
            key(
                    LEADER_REPLICATION_THROTTLED_REPLICAS,
                    LIST,
                    "",
                    ConfigRule.NONE,
                    "The leader replicas whose replication is throttled."),
            key(
                            LOCAL_RETENTION_BYTES,
                            LONG,
                            "-2",
                            atLeast(-2),
                            "With tiered storage, the most bytes of a partition kept locally; -2 follows retention.bytes.")
                    .withSynonyms(new Synonym("log.local.retention.bytes", Unit.SAME)),
            key(
                            LOCAL_RETENTION_MS,
                            LONG,
                            "-2",
                            atLeast(-2),
                            "With tiered storage, how long a segment is kept locally; -2 follows retention.ms.")
                    .withSynonyms(new Synonym("log.local.retention.ms", Unit.SAME)),
            key(
                            MAX_COMPACTION_LAG_MS,
                            LONG,
                            "9223372036854775807",
                            atLeast(1),
                            "The longest that a record may stay uncompacted.")
                    .withSynonyms(new Synonym("log.cleaner.max.compaction.lag.ms", Unit.SAME)),
            key(
                            MAX_DECOMPRESSED_MESSAGE_BYTES,
                            INT,
                            "2147483639",
                            between(1, 2147483639),
                            "The largest batch after decompression.")
                    .withSynonyms(new Synonym("max.decompressed.message.bytes", Unit.SAME)),
            key(MAX_MESSAGE_BYTES, INT, "1048588", atLeast(0), "The largest batch taken in.")
                    .withSynonyms(new Synonym("message.max.bytes", Unit.SAME)),
            key(
                            MESSAGE_TIMESTAMP_AFTER_MAX_MS,
                            LONG,
                            "3600000",
                            atLeast(0),
                            "How far a timestamp may be ahead of the broker.")
                    .withSynonyms(new Synonym("log.message.timestamp.after.max.ms", Unit.SAME)),
            key(
                            MESSAGE_TIMESTAMP_BEFORE_MAX_MS,
                            LONG,
                            "9223372036854775807",
                            atLeast(0),
                            "How far a timestamp may be behind the broker.")
                    .withSynonyms(new Synonym("log.message.timestamp.before.max.ms", Unit.SAME)),
            key(
                            MESSAGE_TIMESTAMP_TYPE,
                            STRING,
                            "CreateTime",
                            oneOf("CreateTime", "LogAppendTime"),
                            "Whose time a record carries: its creation or its append.")
                    .withSynonyms(new Synonym("log.message.timestamp.type", Unit.SAME)),
            key(
                            MIN_CLEANABLE_DIRTY_RATIO,
                            DOUBLE,
                            "0.5",
                            betweenReal(0, 1),
                            "The uncompacted share of a log from which it is worth compacting.")
                    .withSynonyms(new Synonym("log.cleaner.min.cleanable.ratio", Unit.SAME)),
            key(MIN_COMPACTION_LAG_MS, LONG, "0", atLeast(0), "The shortest that a record stays uncompacted.")
                    .withSynonyms(new Synonym("log.cleaner.min.compaction.lag.ms", Unit.SAME)),
            key(
                            MIN_INSYNC_REPLICAS,
                            INT,
                            "1",
                            atLeast(1),
                            "The in-sync replicas without which acks=all fails and the high watermark stands.")
                    .withSynonyms(new Synonym("min.insync.replicas", Unit.SAME)),
            key(PREALLOCATE, BOOLEAN, "false", ConfigRule.NONE, "Whether a segment file is made at its full size.")
                    .withSynonyms(new Synonym("log.preallocate", Unit.SAME)),
            key(
                            REMOTE_COPY_LAG_BYTES,
                            LONG,
                            "-1",
                            atLeast(-1),
                            "With tiered storage, the bytes that a copy may lag behind.")
                    .withSynonyms(new Synonym("log.remote.copy.lag.bytes", Unit.SAME)),
            key(REMOTE_COPY_LAG_MS, LONG, "0", atLeast(-1), "With tiered storage, the time that a copy may lag behind.")
                    .withSynonyms(new Synonym("log.remote.copy.lag.ms", Unit.SAME)),
            key(REMOTE_LOG_COPY_DISABLE, BOOLEAN, "false", ConfigRule.NONE, "With tiered storage, stops copying."),
            key(
                    REMOTE_LOG_DELETE_ON_DISABLE,
                    BOOLEAN,
                    "false",
                    ConfigRule.NONE,
                    "With tiered storage, deletes remote data when it is switched off."),
            key(REMOTE_STORAGE_ENABLE, BOOLEAN, "false", ConfigRule.NONE, "Whether tiered storage is on."),
            key(RETENTION_BYTES, LONG, "-1", ConfigRule.NONE, "The most bytes of a partition kept; -1 for no limit.")
                    .withSynonyms(new Synonym("log.retention.bytes", Unit.SAME)),
            key(RETENTION_MS, LONG, "604800000", atLeast(-1), "How long a segment is kept; -1 for no limit.")
                    .withSynonyms(
                            new Synonym("log.retention.ms", Unit.SAME),
                            new Synonym("log.retention.minutes", Unit.MINUTES_TO_MS),
                            new Synonym("log.retention.hours", Unit.HOURS_TO_MS)),
            key(SEGMENT_BYTES, INT, "1073741824", atLeast(1048576), "The size at which a new segment begins.")
                    .withSynonyms(new Synonym("log.segment.bytes", Unit.SAME)),
            key(SEGMENT_INDEX_BYTES, INT, "10485760", atLeast(4), "The size of an index file of the active segment.")
                    .withSynonyms(new Synonym("log.index.size.max.bytes", Unit.SAME)),
            key(SEGMENT_JITTER_MS, LONG, "0", atLeast(0), "The most that segment.ms is shortened by, at random.")
                    .withSynonyms(
                            new Synonym("log.roll.jitter.ms", Unit.SAME),
                            new Synonym("log.roll.jitter.hours", Unit.HOURS_TO_MS)),
            key(SEGMENT_MS, LONG, "604800000", atLeast(1), "The age at which a new segment begins.")
                    .withSynonyms(
                            new Synonym("log.roll.ms", Unit.SAME), new Synonym("log.roll.hours", Unit.HOURS_TO_MS)),
            key(
                            UNCLEAN_LEADER_ELECTION_ENABLE,
                            BOOLEAN,
                            "false",
                            ConfigRule.NONE,
                            "Whether a replica that is not in sync may become the leader, losing records.")
                    .withSynonyms(new Synonym("unclean.leader.election.enable", Unit.SAME))));

    private TopicConfigs() {}

    /**
     * What holds for a topic: its own configs, else the broker's synonyms where they are given, else the defaults.
     *
     * @param overrides the topic's own configs; names that are not topic configs are ignored
     * @param broker the values of the node
     * @throws InvalidConfigException if an override is not valid
     */
    public static ConfigValues effective(Map<String, String> overrides, ConfigValues broker) {
        Map<String, String> merged = new TreeMap<>();
        for (ConfigKey key : DEFINITION.keys()) {
            String text = overrides.get(key.name());
            if (text == null) {
                text = fromBroker(key, broker);
            }
            if (text != null) {
                merged.put(key.name(), text);
            }
        }
        return DEFINITION.parse(merged);
    }

    /** The value that the broker's given configs stand for, in the topic's unit; null where none is given. */
    public static @Nullable String fromBroker(ConfigKey key, ConfigValues broker) {
        for (Synonym synonym : key.synonyms()) {
            if (broker.isGiven(synonym.name())) {
                String text = broker.text(synonym.name());
                return text == null ? null : synonym.unit().convert(text);
            }
        }
        return null;
    }

    private static ConfigKey key(
            String name, ConfigType type, @Nullable String defaultText, ConfigRule rule, String documentation) {
        return ConfigKey.of(name, type, defaultText, rule, documentation);
    }
}
