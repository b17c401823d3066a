package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.TopicsImage;
import io.tidemark.broker.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/** What may be a topic's name. */
public final class TopicNames {
    /** The topic of the metadata log, which nobody creates or deletes. */
    public static final String CLUSTER_METADATA = "__cluster_metadata";

    public static final String CONSUMER_OFFSETS = "__consumer_offsets";
    public static final String TRANSACTION_STATE = "__transaction_state";
    public static final String SHARE_GROUP_STATE = "__share_group_state";

    private static final int MAX_LENGTH = 249;

    private TopicNames() {}

    /** Topics that the brokers keep for themselves; clients are told that they are internal. */
    public static boolean isInternal(String name) {
        return name.equals(CONSUMER_OFFSETS) || name.equals(TRANSACTION_STATE) || name.equals(SHARE_GROUP_STATE);
    }

    /** What is wrong with a name, or null for a good one. */
    public static @Nullable String problem(String name) {
        if (name.isEmpty()) {
            return "A topic name must not be empty";
        }
        if (name.equals(".") || name.equals("..")) {
            return "Topic name [" + name + "] is reserved by file systems";
        }
        if (name.length() > MAX_LENGTH) {
            return "Topic name [" + name + "] has " + name.length() + " characters; at most " + MAX_LENGTH
                    + " are allowed, so that its folder fits file systems";
        }
        for (int i = 0; i < name.length(); i++) {
            if (!isLegal(name.charAt(i))) {
                return "Topic name [" + name + "] has the character '" + name.charAt(i)
                        + "'; allowed are ASCII letters, digits, '.', '_' and '-'";
            }
        }
        return null;
    }

    /** Refuses a bad name, and one that differs from an existing topic's only in dots and underscores. */
    static void requireCreatable(String name, TopicsImage topics) {
        String problem = problem(name);
        if (problem != null) {
            throw new Rejection(ErrorCode.INVALID_TOPIC_EXCEPTION, problem);
        }
        if (name.equals(CLUSTER_METADATA)) {
            throw new Rejection(
                    ErrorCode.INVALID_REQUEST, "Topic " + name + " is the quorum's own; choose another name");
        }
        if (topics.topic(name) != null) {
            throw new Rejection(ErrorCode.TOPIC_ALREADY_EXISTS, "Topic '" + name + "' already exists.");
        }
        if (name.indexOf('.') < 0 && name.indexOf('_') < 0) {
            return;
        }
        String metricName = name.replace('.', '_');
        for (String existing : topics.byName().keySet()) {
            if (existing.replace('.', '_').equals(metricName)) {
                throw new Rejection(
                        ErrorCode.INVALID_TOPIC_EXCEPTION,
                        "Topic name [" + name + "] collides with topic [" + existing
                                + "]: names must differ in more than dots and underscores");
            }
        }
    }

    private static boolean isLegal(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '-';
    }
}
