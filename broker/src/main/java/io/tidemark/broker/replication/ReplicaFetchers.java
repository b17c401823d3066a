package io.tidemark.broker.replication;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.partition.FollowerPartition;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.LinkScope;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.Endpoint;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One fetcher for each broker that leads something that this one follows. */
final class ReplicaFetchers {
    private final int brokerId;
    private final LongSupplier brokerEpoch;
    private final ReplicationSettings settings;
    private final ReplicationThrottle throttle;
    private final Clock clock;
    private final Loop loop;
    private final Peers peers;
    private final String listener;
    private final Map<Integer, ReplicaFetcher> byLeader = new TreeMap<>();
    private final Map<Integer, Endpoint> endpoints = new TreeMap<>();
    private MetadataImage image = MetadataImage.EMPTY;

    ReplicaFetchers(
            int brokerId,
            LongSupplier brokerEpoch,
            ReplicationSettings settings,
            ReplicationThrottle throttle,
            Clock clock,
            Loop loop,
            Peers peers,
            String listener) {
        this.brokerId = brokerId;
        this.brokerEpoch = brokerEpoch;
        this.settings = settings;
        this.throttle = throttle;
        this.clock = clock;
        this.loop = loop;
        this.peers = peers;
        this.listener = listener;
    }

    void onImage(MetadataImage newImage) {
        image = newImage;
    }

    /** Brokers have come, gone or moved: who fetched from an old address starts again at the new one. */
    void onBrokers(Set<Integer> changed, Collection<HostedPartition> partitions) {
        for (int leaderId : changed) {
            Endpoint endpoint = endpoint(leaderId);
            Endpoint known = endpoints.get(leaderId);
            ReplicaFetcher fetcher = byLeader.get(leaderId);
            if (fetcher != null && endpoint != null && endpoint.equals(known)) {
                fetcher.hurry();
            } else if (endpoint != null) {
                drop(leaderId);
                for (HostedPartition partition : partitions) {
                    FollowerPartition follower = partition.follower();
                    if (follower != null && follower.leaderId() == leaderId) {
                        follow(partition);
                    }
                }
            }
        }
    }

    /** Fetches a partition from its leader from now on, and from no other broker. */
    void follow(HostedPartition partition) {
        unfollow(partition);
        FollowerPartition follower = partition.follower();
        if (follower == null) {
            return;
        }
        ReplicaFetcher fetcher = fetcher(follower.leaderId());
        if (fetcher != null) {
            fetcher.follow(partition, follower.leaderEpoch());
        }
    }

    void unfollow(HostedPartition partition) {
        byLeader.values().forEach(fetcher -> fetcher.unfollow(partition.id()));
    }

    void close() {
        byLeader.values().forEach(ReplicaFetcher::close);
        byLeader.clear();
    }

    private @Nullable ReplicaFetcher fetcher(int leaderId) {
        ReplicaFetcher fetcher = byLeader.get(leaderId);
        Endpoint endpoint = endpoint(leaderId);
        if (fetcher == null && endpoint != null) {
            fetcher = new ReplicaFetcher(
                    brokerId,
                    leaderId,
                    brokerEpoch,
                    settings,
                    throttle,
                    clock,
                    loop,
                    peers.open(endpoint.host(), endpoint.port(), LinkScope.REPLICA_FETCHER));
            byLeader.put(leaderId, fetcher);
            endpoints.put(leaderId, endpoint);
        }
        return fetcher;
    }

    private void drop(int leaderId) {
        ReplicaFetcher fetcher = byLeader.remove(leaderId);
        endpoints.remove(leaderId);
        if (fetcher != null) {
            fetcher.close();
        }
    }

    private @Nullable Endpoint endpoint(int leaderId) {
        BrokerRegistration leader = image.cluster().broker(leaderId);
        return leader == null ? null : leader.endpoint(listener);
    }
}
