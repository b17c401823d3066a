package io.tidemark.broker.config;

/**
 * The configs of a node: every name that Apache Kafka's broker knows, with its default, and {@link #CLUSTER_ID} and
 * {@link #CLUSTER_FEATURES}, by which an empty log directory is formatted. The constants are the names that this broker acts on; the others are
 * accepted so that a real {@code server.properties} starts.
 */
public final class BrokerConfigs {
    /** The cluster's id for a log directory that has none yet; ours, not Kafka's, which formats with a tool. */
    public static final String CLUSTER_ID = "cluster.id";

    /**
     * The feature levels that a new cluster starts with, as {@code metadata.version=4.1,group.version=0}; for those that
     * are not named, what Kafka gives a new cluster of that metadata.version. Ours, not Kafka's, as the cluster's id is.
     */
    public static final String CLUSTER_FEATURES = "cluster.features";

    public static final String NODE_ID = "node.id";
    public static final String BROKER_ID = "broker.id";
    public static final String PROCESS_ROLES = "process.roles";
    public static final String LISTENERS = "listeners";
    public static final String ADVERTISED_LISTENERS = "advertised.listeners";
    public static final String LISTENER_SECURITY_PROTOCOL_MAP = "listener.security.protocol.map";
    public static final String INTER_BROKER_LISTENER_NAME = "inter.broker.listener.name";
    public static final String SECURITY_INTER_BROKER_PROTOCOL = "security.inter.broker.protocol";
    public static final String CONTROLLER_LISTENER_NAMES = "controller.listener.names";
    public static final String CONTROLLER_QUORUM_AUTO_JOIN_ENABLE = "controller.quorum.auto.join.enable";
    public static final String CONTROLLER_QUORUM_VOTERS = "controller.quorum.voters";
    public static final String CONTROLLER_QUORUM_BOOTSTRAP_SERVERS = "controller.quorum.bootstrap.servers";
    public static final String LOG_DIRS = "log.dirs";
    public static final String LOG_DIR = "log.dir";
    public static final String METADATA_LOG_DIR = "metadata.log.dir";
    public static final String BROKER_RACK = "broker.rack";
    public static final String AUTO_CREATE_TOPICS_ENABLE = "auto.create.topics.enable";
    public static final String DELETE_TOPIC_ENABLE = "delete.topic.enable";
    public static final String NUM_PARTITIONS = "num.partitions";
    public static final String DEFAULT_REPLICATION_FACTOR = "default.replication.factor";
    public static final String MIN_INSYNC_REPLICAS = "min.insync.replicas";
    public static final String UNCLEAN_LEADER_ELECTION_ENABLE = "unclean.leader.election.enable";
    public static final String MESSAGE_MAX_BYTES = "message.max.bytes";
    public static final String BROKER_HEARTBEAT_INTERVAL_MS = "broker.heartbeat.interval.ms";
    public static final String BROKER_SESSION_TIMEOUT_MS = "broker.session.timeout.ms";
    public static final String CONTROLLED_SHUTDOWN_ENABLE = "controlled.shutdown.enable";
    public static final String INITIAL_BROKER_REGISTRATION_TIMEOUT_MS = "initial.broker.registration.timeout.ms";
    public static final String AUTO_LEADER_REBALANCE_ENABLE = "auto.leader.rebalance.enable";
    public static final String LEADER_IMBALANCE_CHECK_INTERVAL_SECONDS = "leader.imbalance.check.interval.seconds";
    public static final String UNCLEAN_LEADER_ELECTION_INTERVAL_MS = "unclean.leader.election.interval.ms";
    public static final String CONTROLLER_QUORUM_APPEND_LINGER_MS = "controller.quorum.append.linger.ms";
    public static final String CONTROLLER_QUORUM_ELECTION_BACKOFF_MAX_MS = "controller.quorum.election.backoff.max.ms";
    public static final String CONTROLLER_QUORUM_ELECTION_TIMEOUT_MS = "controller.quorum.election.timeout.ms";
    public static final String CONTROLLER_QUORUM_FETCH_TIMEOUT_MS = "controller.quorum.fetch.timeout.ms";
    public static final String CONTROLLER_QUORUM_FETCH_MAX_BYTES = "controller.quorum.fetch.max.bytes";
    public static final String CONTROLLER_QUORUM_FETCH_SNAPSHOT_MAX_BYTES =
            "controller.quorum.fetch.snapshot.max.bytes";
    public static final String CONTROLLER_QUORUM_REQUEST_TIMEOUT_MS = "controller.quorum.request.timeout.ms";
    public static final String CONTROLLER_QUORUM_RETRY_BACKOFF_MS = "controller.quorum.retry.backoff.ms";
    public static final String CONTROLLER_SOCKET_TIMEOUT_MS = "controller.socket.timeout.ms";
    public static final String UNSTABLE_FEATURE_VERSIONS_ENABLE = "unstable.feature.versions.enable";
    public static final String INTERNAL_METADATA_DELETE_DELAY_MILLIS = "internal.metadata.delete.delay.millis";
    public static final String INTERNAL_METADATA_LOG_SEGMENT_BYTES = "internal.metadata.log.segment.bytes";
    public static final String METADATA_LOG_SEGMENT_BYTES = "metadata.log.segment.bytes";
    public static final String METADATA_LOG_SEGMENT_MS = "metadata.log.segment.ms";
    public static final String METADATA_MAX_IDLE_INTERVAL_MS = "metadata.max.idle.interval.ms";
    public static final String METADATA_MAX_RETENTION_BYTES = "metadata.max.retention.bytes";
    public static final String METADATA_MAX_RETENTION_MS = "metadata.max.retention.ms";
    public static final String METADATA_LOG_MAX_RECORD_BYTES_BETWEEN_SNAPSHOTS =
            "metadata.log.max.record.bytes.between.snapshots";
    public static final String METADATA_LOG_MAX_SNAPSHOT_INTERVAL_MS = "metadata.log.max.snapshot.interval.ms";
    public static final String LOG_SEGMENT_BYTES = "log.segment.bytes";
    public static final String LOG_ROLL_MS = "log.roll.ms";
    public static final String LOG_ROLL_HOURS = "log.roll.hours";
    public static final String LOG_ROLL_JITTER_MS = "log.roll.jitter.ms";
    public static final String LOG_ROLL_JITTER_HOURS = "log.roll.jitter.hours";
    public static final String LOG_RETENTION_MS = "log.retention.ms";
    public static final String LOG_RETENTION_MINUTES = "log.retention.minutes";
    public static final String LOG_RETENTION_HOURS = "log.retention.hours";
    public static final String LOG_RETENTION_BYTES = "log.retention.bytes";
    public static final String LOG_RETENTION_CHECK_INTERVAL_MS = "log.retention.check.interval.ms";
    public static final String LOG_SEGMENT_DELETE_DELAY_MS = "log.segment.delete.delay.ms";
    public static final String LOG_INDEX_SIZE_MAX_BYTES = "log.index.size.max.bytes";
    public static final String LOG_INDEX_INTERVAL_BYTES = "log.index.interval.bytes";
    public static final String LOG_FLUSH_INTERVAL_MESSAGES = "log.flush.interval.messages";
    public static final String LOG_FLUSH_INTERVAL_MS = "log.flush.interval.ms";
    public static final String LOG_FLUSH_OFFSET_CHECKPOINT_INTERVAL_MS = "log.flush.offset.checkpoint.interval.ms";
    public static final String LOG_FLUSH_START_OFFSET_CHECKPOINT_INTERVAL_MS =
            "log.flush.start.offset.checkpoint.interval.ms";
    public static final String LOG_FLUSH_SCHEDULER_INTERVAL_MS = "log.flush.scheduler.interval.ms";
    public static final String LOG_INITIAL_TASK_DELAY_MS = "log.initial.task.delay.ms";
    public static final String LOG_MESSAGE_TIMESTAMP_TYPE = "log.message.timestamp.type";
    public static final String LOG_CLEANER_ENABLE = "log.cleaner.enable";
    public static final String LOG_CLEANUP_POLICY = "log.cleanup.policy";
    public static final String REPLICA_LAG_TIME_MAX_MS = "replica.lag.time.max.ms";
    public static final String REPLICA_FETCH_MIN_BYTES = "replica.fetch.min.bytes";
    public static final String REPLICA_FETCH_MAX_BYTES = "replica.fetch.max.bytes";
    public static final String REPLICA_FETCH_WAIT_MAX_MS = "replica.fetch.wait.max.ms";
    public static final String REPLICA_FETCH_RESPONSE_MAX_BYTES = "replica.fetch.response.max.bytes";
    public static final String REPLICA_FETCH_BACKOFF_MS = "replica.fetch.backoff.ms";
    public static final String REPLICA_SOCKET_TIMEOUT_MS = "replica.socket.timeout.ms";
    public static final String REPLICA_HIGH_WATERMARK_CHECKPOINT_INTERVAL_MS =
            "replica.high.watermark.checkpoint.interval.ms";
    public static final String NUM_REPLICA_FETCHERS = "num.replica.fetchers";
    public static final String FETCH_MAX_BYTES = "fetch.max.bytes";
    public static final String MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS = "max.incremental.fetch.session.cache.slots";
    public static final String MAX_REQUEST_PARTITION_SIZE_LIMIT = "max.request.partition.size.limit";
    public static final String GROUP_INITIAL_REBALANCE_DELAY_MS = "group.initial.rebalance.delay.ms";
    public static final String GROUP_MIN_SESSION_TIMEOUT_MS = "group.min.session.timeout.ms";
    public static final String GROUP_MAX_SESSION_TIMEOUT_MS = "group.max.session.timeout.ms";
    public static final String GROUP_MAX_SIZE = "group.max.size";
    public static final String OFFSET_METADATA_MAX_BYTES = "offset.metadata.max.bytes";
    public static final String OFFSETS_TOPIC_NUM_PARTITIONS = "offsets.topic.num.partitions";
    public static final String OFFSETS_TOPIC_REPLICATION_FACTOR = "offsets.topic.replication.factor";
    public static final String OFFSETS_TOPIC_SEGMENT_BYTES = "offsets.topic.segment.bytes";
    public static final String OFFSETS_TOPIC_COMPRESSION_CODEC = "offsets.topic.compression.codec";
    public static final String OFFSETS_RETENTION_MINUTES = "offsets.retention.minutes";
    public static final String OFFSETS_RETENTION_CHECK_INTERVAL_MS = "offsets.retention.check.interval.ms";
    public static final String OFFSETS_COMMIT_TIMEOUT_MS = "offsets.commit.timeout.ms";
    public static final String OFFSETS_LOAD_BUFFER_SIZE = "offsets.load.buffer.size";
    public static final String PRODUCER_ID_EXPIRATION_MS = "producer.id.expiration.ms";
    public static final String PRODUCER_ID_EXPIRATION_CHECK_INTERVAL_MS = "producer.id.expiration.check.interval.ms";
    public static final String TRANSACTION_STATE_LOG_NUM_PARTITIONS = "transaction.state.log.num.partitions";
    public static final String TRANSACTION_STATE_LOG_REPLICATION_FACTOR = "transaction.state.log.replication.factor";
    public static final String TRANSACTION_STATE_LOG_MIN_ISR = "transaction.state.log.min.isr";
    public static final String TRANSACTION_STATE_LOG_SEGMENT_BYTES = "transaction.state.log.segment.bytes";
    public static final String TRANSACTION_MAX_TIMEOUT_MS = "transaction.max.timeout.ms";
    public static final String TRANSACTIONAL_ID_EXPIRATION_MS = "transactional.id.expiration.ms";
    public static final String TRANSACTION_ABORT_TIMED_OUT_TRANSACTION_CLEANUP_INTERVAL_MS =
            "transaction.abort.timed.out.transaction.cleanup.interval.ms";
    public static final String TRANSACTION_REMOVE_EXPIRED_TRANSACTION_CLEANUP_INTERVAL_MS =
            "transaction.remove.expired.transaction.cleanup.interval.ms";
    public static final String TRANSACTION_STATE_LOG_LOAD_BUFFER_SIZE = "transaction.state.log.load.buffer.size";
    public static final String TRANSACTION_TWO_PHASE_COMMIT_ENABLE = "transaction.two.phase.commit.enable";
    public static final String SOCKET_REQUEST_MAX_BYTES = "socket.request.max.bytes";
    public static final String SOCKET_SEND_BUFFER_BYTES = "socket.send.buffer.bytes";
    public static final String SOCKET_RECEIVE_BUFFER_BYTES = "socket.receive.buffer.bytes";
    public static final String SOCKET_LISTEN_BACKLOG_SIZE = "socket.listen.backlog.size";
    public static final String SOCKET_CONNECTION_SETUP_TIMEOUT_MS = "socket.connection.setup.timeout.ms";
    public static final String CONNECTIONS_MAX_IDLE_MS = "connections.max.idle.ms";
    public static final String REQUEST_TIMEOUT_MS = "request.timeout.ms";

    /** All keys. */
    public static final ConfigDefinition DEFINITION = define();

    private BrokerConfigs() {}

    private static ConfigDefinition define() {
        ConfigKeys keys = new ConfigKeys();
        keys.add(CLUSTER_ID, ConfigType.STRING, null);
        keys.add(CLUSTER_FEATURES, ConfigType.LIST, "");
        NodeKeys.addTo(keys);
        QuorumKeys.addTo(keys);
        LogKeys.addTo(keys);
        ReplicationKeys.addTo(keys);
        GroupKeys.addTo(keys);
        TransactionKeys.addTo(keys);
        ShareGroupKeys.addTo(keys);
        StreamsGroupKeys.addTo(keys);
        SecurityKeys.addTo(keys);
        RemoteStorageKeys.addTo(keys);
        return keys.toDefinition();
    }
}
