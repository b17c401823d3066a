package io.tidemark.chaos;

import io.tidemark.Cluster;
import io.tidemark.NodeDisk;
import java.time.Duration;

/**
 * The disk of one node, to be hurt while the node uses it; {@link Chaos#heal()} heals it and restarts a node that has
 * stopped by it. As in Kafka the first write that fails takes the log directory offline, and a broker that has no
 * other stops. Safe from any thread.
 *
 * <pre>{@code
 * chaos.disk(2).full();
 * chaos.disk(3).slow(Duration.ofMillis(50));
 * chaos.disk(1).flipBit("orders", 0, 42);
 * }</pre>
 */
public final class ChaosDisk {
    private final Chaos chaos;
    private final int nodeId;
    private final Cluster cluster;
    private final NodeDisk disk;

    ChaosDisk(Chaos chaos, int nodeId, Cluster cluster) {
        this.chaos = chaos;
        this.nodeId = nodeId;
        this.cluster = cluster;
        this.disk = cluster.node(nodeId).disk();
    }

    /**
     * Has the page cache forget the segments of one partition, which are forced first: what is fetched next comes from the
     * disk. There is nothing to heal. See {@link io.tidemark.ReplicaPageCache#drop}.
     *
     * @throws UnsupportedOperationException if the page cache cannot be reached
     */
    public ChaosDisk evict(String topic, int partition) {
        chaos.damage()
                .deed("evict", topic + "-" + partition + " of node " + nodeId, () -> cluster.partition(topic, partition)
                        .pageCache(nodeId)
                        .drop());
        return this;
    }

    /** From now on every operation that changes anything fails. */
    public ChaosDisk failWrites() {
        return waiting("fail writes of the disk", disk::failWrites);
    }

    /** From now on every operation that changes a file of one partition fails. */
    public ChaosDisk failWrites(String topic, int partition) {
        return waiting(
                "fail writes to " + topic + "-" + partition + " on the disk", () -> disk.failWrites(topic, partition));
    }

    /** From now on every read of a file fails. */
    public ChaosDisk failReads() {
        return waiting("fail reads of the disk", disk::failReads);
    }

    /** From now on every read of a file of one partition fails. */
    public ChaosDisk failReads(String topic, int partition) {
        return waiting(
                "fail reads of " + topic + "-" + partition + " on the disk", () -> disk.failReads(topic, partition));
    }

    /** From now on no file grows any more. */
    public ChaosDisk full() {
        return fullAfter(0);
    }

    /** From now on files grow by so many bytes together and no more. */
    public ChaosDisk fullAfter(long bytes) {
        return waiting("fill the disk after " + bytes + " bytes", () -> disk.fullAfter(bytes));
    }

    /** From now on every write and every force takes so much longer. */
    public ChaosDisk slow(Duration by) {
        return waiting("slow the disk by " + by.toMillis() + " ms", () -> disk.slow(by));
    }

    /**
     * Turns over one bit of the batch that holds an offset, in this node's replica; nothing fails and nobody is told.
     * {@link #heal()} turns it back.
     *
     * @throws IllegalArgumentException if the replica has no such offset
     */
    public ChaosDisk flipBit(String topic, int partition, long offset) {
        return fault(
                "flip a bit of " + topic + "-" + partition + " at offset " + offset + " on the disk",
                () -> disk.flipBit(topic, partition, offset));
    }

    /** Ends everything, and turns back the bits that rotted. A broker that has stopped is to be restarted. */
    public ChaosDisk heal() {
        return fault("heal the disk", disk::heal);
    }

    private ChaosDisk waiting(String kind, Runnable doIt) {
        chaos.damage().waitingDiskFault(kind, nodeId, doIt);
        return this;
    }

    private ChaosDisk fault(String kind, Runnable doIt) {
        chaos.damage().diskFault(kind, nodeId, doIt);
        return this;
    }
}
