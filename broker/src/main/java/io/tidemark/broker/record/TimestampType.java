package io.tidemark.broker.record;

/** Whose clock a record's timestamp is from. */
public enum TimestampType {
    /** The producer's. */
    CREATE_TIME("CreateTime"),
    /** The leader's, at the append. */
    LOG_APPEND_TIME("LogAppendTime");

    private final String configName;

    TimestampType(String configName) {
        this.configName = configName;
    }

    /** As in {@code message.timestamp.type}. */
    public String configName() {
        return configName;
    }

    /**
     * @throws IllegalArgumentException if there is no such type
     */
    public static TimestampType forConfigName(String name) {
        for (TimestampType type : values()) {
            if (type.configName.equals(name)) {
                return type;
            }
        }
        throw new IllegalArgumentException(
                "Timestamp type [" + name + "] is unknown; expected CreateTime or LogAppendTime");
    }
}
