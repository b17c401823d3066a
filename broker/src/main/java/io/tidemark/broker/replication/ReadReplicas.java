package io.tidemark.broker.replication;

import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.fetch.FetchItem;
import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.partition.RemoteReplica;
import io.tidemark.broker.time.Clock;
import java.util.Comparator;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends consumers to the replica of their own rack (KIP-392), where {@code replica.selector.class} names Kafka's
 * selector that does so. There are no plug-ins: the names of Kafka's own two selectors are known, and nothing else.
 */
public final class ReadReplicas {
    /** In place of a broker id: the consumer is to read where it is. */
    public static final int HERE = -1;

    private static final String SELECTOR_CLASS = "replica.selector.class";
    private static final String RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector";
    private static final Set<String> LEADER = Set.of("", "org.apache.kafka.common.replica.LeaderSelector");

    private final boolean isRackAware;
    private final Supplier<MetadataImage> image;
    private final Clock clock;

    private ReadReplicas(boolean isRackAware, Supplier<MetadataImage> image, Clock clock) {
        this.isRackAware = isRackAware;
        this.image = image;
        this.clock = clock;
    }

    /**
     * @throws InvalidConfigException if the class is none of Kafka's
     */
    public static ReadReplicas of(ConfigValues values, Supplier<MetadataImage> image, Clock clock) {
        String given = values.given().getOrDefault(SELECTOR_CLASS, "").trim();
        if (!given.equals(RACK_AWARE) && !LEADER.contains(given)) {
            throw new InvalidConfigException("Value [" + given + "] of " + SELECTOR_CLASS
                    + " is not known; expected nothing or " + RACK_AWARE
                    + ": this broker takes no plug-ins, and knows Kafka's own selectors by their names");
        }
        return new ReadReplicas(given.equals(RACK_AWARE), image, clock);
    }

    /**
     * The replica that a consumer had better read, or {@link #HERE}: the leader keeps those of its own rack, and those
     * of a rack that has no replica in sync; of several in their rack the furthest is taken.
     *
     * @param rack the consumer's, empty where it told none
     * @param listener the name of the listener that it came in on
     */
    public int preferred(HostedPartition partition, FetchItem item, String rack, String listener) {
        if (!isRackAware || rack.isEmpty() || !partition.isLeader()) {
            return HERE;
        }
        MetadataImage now = image.get();
        if (isIn(rack, partition.registration().leader(), listener, now)) {
            return HERE;
        }
        long nowMs = clock.monotonicMs();
        return partition.readReplicas(item).stream()
                .filter(replica -> isIn(rack, replica.brokerId(), listener, now))
                .max(Comparator.comparingLong(RemoteReplica::logEndOffset)
                        .thenComparing(
                                Comparator.comparingLong((RemoteReplica replica) -> nowMs - replica.lastCaughtUpMs())
                                        .reversed())
                        .thenComparing(RemoteReplica::brokerId))
                .map(RemoteReplica::brokerId)
                .orElse(HERE);
    }

    private static boolean isIn(String rack, int brokerId, String listener, MetadataImage image) {
        BrokerRegistration broker = image.cluster().broker(brokerId);
        return broker != null && !broker.fenced() && broker.endpoint(listener) != null && rack.equals(broker.rack());
    }
}
