package io.tidemark.broker.quorum;

import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a broker registers as.
 *
 * @param brokerId its node id
 * @param incarnationId a random id of this life of the node
 * @param listeners its advertised listeners, without those of the controller role
 * @param rack its rack, if it has one
 * @param logDirectories the ids of its log directories
 * @param previousBrokerEpoch the epoch of its last life where that shut down cleanly, else -1
 */
public record BrokerIdentity(
        int brokerId,
        Uuid incarnationId,
        List<Endpoint> listeners,
        @Nullable String rack,
        List<Uuid> logDirectories,
        long previousBrokerEpoch) {
    public BrokerIdentity {
        listeners = List.copyOf(listeners);
        logDirectories = List.copyOf(logDirectories);
    }
}
