package io.tidemark.broker.metadata;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The registered nodes.
 *
 * @param brokers by id, immutable, fenced ones included
 * @param controllers by id, immutable
 */
public record ClusterImage(
        SortedMap<Integer, BrokerRegistration> brokers, SortedMap<Integer, ControllerRegistration> controllers) {
    public static final ClusterImage EMPTY = new ClusterImage(new TreeMap<>(), new TreeMap<>());

    public ClusterImage {
        brokers = Collections.unmodifiableSortedMap(new TreeMap<>(brokers));
        controllers = Collections.unmodifiableSortedMap(new TreeMap<>(controllers));
    }

    public @Nullable BrokerRegistration broker(int brokerId) {
        return brokers.get(brokerId);
    }

    /** The broker's epoch, or -1 where no such broker is registered. */
    public long brokerEpoch(int brokerId) {
        BrokerRegistration broker = brokers.get(brokerId);
        return broker == null ? -1 : broker.epoch();
    }

    /** Registered and not fenced: it may lead, and clients are told of it. */
    public boolean isAlive(int brokerId) {
        BrokerRegistration broker = brokers.get(brokerId);
        return broker != null && !broker.fenced();
    }

    /** Alive and not on its way down: it may join an ISR or be elected. */
    public boolean isActive(int brokerId) {
        BrokerRegistration broker = brokers.get(brokerId);
        return broker != null && !broker.fenced() && !broker.inControlledShutdown();
    }
}
