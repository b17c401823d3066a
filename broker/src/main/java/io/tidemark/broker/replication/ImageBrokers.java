package io.tidemark.broker.replication;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.partition.ReplicaBrokers;
import io.tidemark.broker.types.Uuid;
import java.util.function.Supplier;

/** The brokers of the newest image. */
record ImageBrokers(Supplier<MetadataImage> image) implements ReplicaBrokers {
    @Override
    public boolean mayJoinIsr(int id) {
        return image.get().cluster().isActive(id);
    }

    @Override
    public boolean isOnline(int id, Uuid directory) {
        BrokerRegistration broker = image.get().cluster().broker(id);
        return broker == null || broker.hasOnlineDirectory(directory);
    }

    @Override
    public long brokerEpoch(int id) {
        BrokerRegistration broker = image.get().cluster().broker(id);
        return broker == null ? UNKNOWN_BROKER_EPOCH : broker.epoch();
    }
}
