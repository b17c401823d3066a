package io.tidemark.broker.metadata;

/**
 * What a set of config values belongs to.
 *
 * @param type Kafka's id of the resource type: {@link #TOPIC} or {@link #BROKER}, among others
 * @param name the topic's name, or the broker's id in digits; empty for the default of all brokers
 */
public record ConfigResource(byte type, String name) {
    public static final byte TOPIC = 2;
    public static final byte BROKER = 4;
    public static final byte BROKER_LOGGER = 8;
    public static final byte CLIENT_METRICS = 16;
    public static final byte GROUP = 32;

    public static ConfigResource topic(String name) {
        return new ConfigResource(TOPIC, name);
    }

    public static ConfigResource broker(int brokerId) {
        return new ConfigResource(BROKER, Integer.toString(brokerId));
    }

    /** The defaults that hold for every broker of the cluster. */
    public static ConfigResource brokerDefault() {
        return new ConfigResource(BROKER, "");
    }

    @Override
    public String toString() {
        return switch (type) {
            case TOPIC -> "topic [" + name + "]";
            case BROKER -> name.isEmpty() ? "the brokers' default" : "broker [" + name + "]";
            case GROUP -> "group [" + name + "]";
            default -> "resource of type " + type + " [" + name + "]";
        };
    }
}
