package io.tidemark.broker.protocol;

/**
 * Kafka's error codes, with what Kafka's clients make of them.
 *
 * <p>Brokers of the 4.x line do not answer {@link #DUPLICATE_SEQUENCE_NUMBER} and {@link #UNKNOWN_PRODUCER_ID} by
 * themselves.
 */
public enum ErrorCode {
    UNKNOWN_SERVER_ERROR(-1, false, false),
    NONE(0, false, false),
    OFFSET_OUT_OF_RANGE(1, false, false),
    CORRUPT_MESSAGE(2, true, false),
    UNKNOWN_TOPIC_OR_PARTITION(3, true, true),
    INVALID_FETCH_SIZE(4, false, false),
    LEADER_NOT_AVAILABLE(5, true, true),
    NOT_LEADER_OR_FOLLOWER(6, true, true),
    REQUEST_TIMED_OUT(7, true, false),
    BROKER_NOT_AVAILABLE(8, false, false),
    REPLICA_NOT_AVAILABLE(9, true, true),
    MESSAGE_TOO_LARGE(10, false, false),
    STALE_CONTROLLER_EPOCH(11, false, false),
    OFFSET_METADATA_TOO_LARGE(12, false, false),
    NETWORK_EXCEPTION(13, true, true),
    COORDINATOR_LOAD_IN_PROGRESS(14, true, false),
    COORDINATOR_NOT_AVAILABLE(15, true, false),
    NOT_COORDINATOR(16, true, false),
    INVALID_TOPIC_EXCEPTION(17, false, false),
    RECORD_LIST_TOO_LARGE(18, false, false),
    NOT_ENOUGH_REPLICAS(19, true, false),
    NOT_ENOUGH_REPLICAS_AFTER_APPEND(20, true, false),
    INVALID_REQUIRED_ACKS(21, false, false),
    ILLEGAL_GENERATION(22, false, false),
    INCONSISTENT_GROUP_PROTOCOL(23, false, false),
    INVALID_GROUP_ID(24, false, false),
    UNKNOWN_MEMBER_ID(25, false, false),
    INVALID_SESSION_TIMEOUT(26, false, false),
    REBALANCE_IN_PROGRESS(27, false, false),
    INVALID_COMMIT_OFFSET_SIZE(28, false, false),
    TOPIC_AUTHORIZATION_FAILED(29, false, false),
    GROUP_AUTHORIZATION_FAILED(30, false, false),
    CLUSTER_AUTHORIZATION_FAILED(31, false, false),
    INVALID_TIMESTAMP(32, false, false),
    UNSUPPORTED_SASL_MECHANISM(33, false, false),
    ILLEGAL_SASL_STATE(34, false, false),
    UNSUPPORTED_VERSION(35, false, false),
    TOPIC_ALREADY_EXISTS(36, false, false),
    INVALID_PARTITIONS(37, false, false),
    INVALID_REPLICATION_FACTOR(38, false, false),
    INVALID_REPLICA_ASSIGNMENT(39, false, false),
    INVALID_CONFIG(40, false, false),
    NOT_CONTROLLER(41, true, false),
    INVALID_REQUEST(42, false, false),
    UNSUPPORTED_FOR_MESSAGE_FORMAT(43, false, false),
    POLICY_VIOLATION(44, false, false),
    OUT_OF_ORDER_SEQUENCE_NUMBER(45, false, false),
    DUPLICATE_SEQUENCE_NUMBER(46, false, false),
    INVALID_PRODUCER_EPOCH(47, false, false),
    INVALID_TXN_STATE(48, false, false),
    INVALID_PRODUCER_ID_MAPPING(49, false, false),
    INVALID_TRANSACTION_TIMEOUT(50, false, false),
    CONCURRENT_TRANSACTIONS(51, true, false),
    TRANSACTION_COORDINATOR_FENCED(52, false, false),
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED(53, false, false),
    SECURITY_DISABLED(54, false, false),
    OPERATION_NOT_ATTEMPTED(55, false, false),
    KAFKA_STORAGE_ERROR(56, true, true),
    LOG_DIR_NOT_FOUND(57, false, false),
    SASL_AUTHENTICATION_FAILED(58, false, false),
    UNKNOWN_PRODUCER_ID(59, false, false),
    REASSIGNMENT_IN_PROGRESS(60, false, false),
    DELEGATION_TOKEN_AUTH_DISABLED(61, false, false),
    DELEGATION_TOKEN_NOT_FOUND(62, false, false),
    DELEGATION_TOKEN_OWNER_MISMATCH(63, false, false),
    DELEGATION_TOKEN_REQUEST_NOT_ALLOWED(64, false, false),
    DELEGATION_TOKEN_AUTHORIZATION_FAILED(65, false, false),
    DELEGATION_TOKEN_EXPIRED(66, false, false),
    INVALID_PRINCIPAL_TYPE(67, false, false),
    NON_EMPTY_GROUP(68, false, false),
    GROUP_ID_NOT_FOUND(69, false, false),
    FETCH_SESSION_ID_NOT_FOUND(70, true, false),
    INVALID_FETCH_SESSION_EPOCH(71, true, false),
    LISTENER_NOT_FOUND(72, true, true),
    TOPIC_DELETION_DISABLED(73, false, false),
    FENCED_LEADER_EPOCH(74, true, true),
    UNKNOWN_LEADER_EPOCH(75, true, false),
    UNSUPPORTED_COMPRESSION_TYPE(76, false, false),
    STALE_BROKER_EPOCH(77, false, false),
    OFFSET_NOT_AVAILABLE(78, true, false),
    MEMBER_ID_REQUIRED(79, false, false),
    PREFERRED_LEADER_NOT_AVAILABLE(80, true, true),
    GROUP_MAX_SIZE_REACHED(81, false, false),
    FENCED_INSTANCE_ID(82, false, false),
    ELIGIBLE_LEADERS_NOT_AVAILABLE(83, true, true),
    ELECTION_NOT_NEEDED(84, true, true),
    NO_REASSIGNMENT_IN_PROGRESS(85, false, false),
    GROUP_SUBSCRIBED_TO_TOPIC(86, false, false),
    INVALID_RECORD(87, false, false),
    UNSTABLE_OFFSET_COMMIT(88, true, false),
    THROTTLING_QUOTA_EXCEEDED(89, true, false),
    PRODUCER_FENCED(90, false, false),
    RESOURCE_NOT_FOUND(91, false, false),
    DUPLICATE_RESOURCE(92, false, false),
    UNACCEPTABLE_CREDENTIAL(93, false, false),
    INCONSISTENT_VOTER_SET(94, false, false),
    INVALID_UPDATE_VERSION(95, false, false),
    FEATURE_UPDATE_FAILED(96, false, false),
    PRINCIPAL_DESERIALIZATION_FAILURE(97, false, false),
    SNAPSHOT_NOT_FOUND(98, false, false),
    POSITION_OUT_OF_RANGE(99, false, false),
    UNKNOWN_TOPIC_ID(100, true, true),
    DUPLICATE_BROKER_REGISTRATION(101, false, false),
    BROKER_ID_NOT_REGISTERED(102, false, false),
    INCONSISTENT_TOPIC_ID(103, true, true),
    INCONSISTENT_CLUSTER_ID(104, false, false),
    TRANSACTIONAL_ID_NOT_FOUND(105, false, false),
    FETCH_SESSION_TOPIC_ID_ERROR(106, true, false),
    INELIGIBLE_REPLICA(107, false, false),
    NEW_LEADER_ELECTED(108, false, false),
    OFFSET_MOVED_TO_TIERED_STORAGE(109, false, false),
    FENCED_MEMBER_EPOCH(110, false, false),
    UNRELEASED_INSTANCE_ID(111, false, false),
    UNSUPPORTED_ASSIGNOR(112, false, false),
    STALE_MEMBER_EPOCH(113, false, false),
    MISMATCHED_ENDPOINT_TYPE(114, false, false),
    UNSUPPORTED_ENDPOINT_TYPE(115, false, false),
    UNKNOWN_CONTROLLER_ID(116, false, false),
    UNKNOWN_SUBSCRIPTION_ID(117, false, false),
    TELEMETRY_TOO_LARGE(118, false, false),
    INVALID_REGISTRATION(119, false, false),
    TRANSACTION_ABORTABLE(120, false, false),
    INVALID_RECORD_STATE(121, false, false),
    SHARE_SESSION_NOT_FOUND(122, true, false),
    INVALID_SHARE_SESSION_EPOCH(123, true, false),
    FENCED_STATE_EPOCH(124, false, false),
    INVALID_VOTER_KEY(125, false, false),
    DUPLICATE_VOTER(126, false, false),
    VOTER_NOT_FOUND(127, false, false),
    INVALID_REGULAR_EXPRESSION(128, false, false),
    REBOOTSTRAP_REQUIRED(129, false, false),
    STREAMS_INVALID_TOPOLOGY(130, false, false),
    STREAMS_INVALID_TOPOLOGY_EPOCH(131, false, false),
    STREAMS_TOPOLOGY_FENCED(132, false, false),
    SHARE_SESSION_LIMIT_REACHED(133, true, false),
    GROUP_DELETION_FAILED(134, false, false),
    STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED(135, false, false),
    CONTROLLER_ID_NOT_REGISTERED(136, false, false);

    private static final ErrorCode[] BY_CODE = byCode();

    private final short code;
    private final boolean retriable;
    private final boolean refreshesMetadata;

    ErrorCode(int code, boolean retriable, boolean refreshesMetadata) {
        this.code = (short) code;
        this.retriable = retriable;
        this.refreshesMetadata = refreshesMetadata;
    }

    private static ErrorCode[] byCode() {
        // The codes are the numbers from -1 on, without a gap.
        ErrorCode[] byCode = values();
        for (int i = 0; i < byCode.length; i++) {
            if (byCode[i].code != i - 1) {
                throw new IllegalStateException("Error " + byCode[i] + " has code " + byCode[i].code + " at place " + i
                        + "; expected the constants in the order of their codes");
            }
        }
        return byCode;
    }

    /** The error of a code; {@link #UNKNOWN_SERVER_ERROR} for a code that is not known, as clients see it. */
    public static ErrorCode forCode(short code) {
        int index = code + 1;
        return index < 0 || index >= BY_CODE.length ? UNKNOWN_SERVER_ERROR : BY_CODE[index];
    }

    /** The number on the wire. */
    public short code() {
        return code;
    }

    /** Whether clients try again. */
    public boolean isRetriable() {
        return retriable;
    }

    /** Whether clients ask for metadata again before they do. */
    public boolean refreshesMetadata() {
        return refreshesMetadata;
    }
}
