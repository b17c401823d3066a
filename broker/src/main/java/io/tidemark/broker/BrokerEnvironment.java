package io.tidemark.broker;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.replication.ReplicaWatch;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Stalls;
import io.tidemark.broker.transport.NodeHost;
import java.util.function.Consumer;

/**
 * What a node stands on: the four doors and the seed of its randomness. {@link SystemEnvironment} is the real one.
 */
public interface BrokerEnvironment {
    Clock clock();

    /** Seeds everything random in the node; each node adds its own id. */
    long seed();

    /**
     * A fresh host (loop and network) for one life of a node.
     *
     * @param threadName the name of the loop's thread
     * @param onFault told, on the loop, of an exception that a task let out; the host is halted by then
     */
    NodeHost newHost(String threadName, HostLimits limits, Consumer<Throwable> onFault);

    /** The disk of one node. */
    Disk disk(int nodeId);

    /** Hears how far a node's replicas are, whenever that has changed. */
    default ReplicaWatch replicaWatch(int nodeId) {
        return ReplicaWatch.NONE;
    }

    /** What is known of the nodes in the same process. */
    default Stalls stalls() {
        return Stalls.NONE;
    }

    /**
     * Limits of a node's network.
     *
     * @param maxFrameBytes the longest frame that is taken in, in bytes
     * @param connectTimeoutMs how long a connect may take
     */
    record HostLimits(int maxFrameBytes, int connectTimeoutMs) {}
}
