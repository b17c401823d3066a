package io.tidemark;

import io.tidemark.broker.disk.DiskFaults;
import io.tidemark.broker.disk.DiskMatch;
import io.tidemark.broker.disk.DiskOperation.Kind;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The disk of one node, to be hurt while the node uses it. A broker does what Kafka does: the first write that fails
 * takes the log directory offline, and a broker without a log directory stops; its state is then
 * {@link NodeState#FAILED}, and its log says which file it was, and why. Safe from any thread.
 *
 * <pre>{@code
 * cluster.broker(2).disk().failWrites();
 * assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 3);
 * cluster.broker(2).disk().heal();
 * cluster.broker(2).restart();
 * }</pre>
 */
public final class NodeDisk {
    private final ClusterNode node;
    private final DiskFaults faults;

    NodeDisk(ClusterNode node, DiskFaults faults) {
        this.node = node;
        this.faults = faults;
        faults.tell((how, what) -> node.struck("disk: " + how, what));
    }

    /** From now on every operation that changes anything fails. */
    public NodeDisk failWrites() {
        faults.failWhere(DiskMatch.changes());
        node.did("disk: writes fail");
        return this;
    }

    /** From now on every write to the files of one partition fails, and every force of them. */
    public NodeDisk failWrites(String topic, int partition) {
        faults.failWhere(DiskMatch.changes().on(path -> isOf(topic, partition, path)));
        node.did("disk: writes to " + topic + "-" + partition + " fail");
        return this;
    }

    /**
     * From now on every read of a file fails. What is sent to clients straight from the page cache is read too. As in Kafka,
     * fetches are not served and the broker leads on; what the node reads for itself at a start stops it.
     */
    public NodeDisk failReads() {
        faults.failWhere(DiskMatch.of(Kind.READ));
        node.did("disk: reads fail");
        return this;
    }

    /** From now on every read of the files of one partition fails. */
    public NodeDisk failReads(String topic, int partition) {
        faults.failWhere(DiskMatch.of(Kind.READ).on(path -> isOf(topic, partition, path)));
        node.did("disk: reads of " + topic + "-" + partition + " fail");
        return this;
    }

    /** From now on no file grows any more. */
    public NodeDisk full() {
        return fullAfter(0);
    }

    /** From now on files grow by so many bytes together and no more. */
    public NodeDisk fullAfter(long bytes) {
        faults.limitFreeBytes(bytes);
        node.did("disk: full after " + bytes + " bytes");
        return this;
    }

    /** From now on every write and every force takes so much longer. */
    public NodeDisk slow(Duration by) {
        faults.slowWhere(DiskMatch.of(Kind.WRITE, Kind.FORCE, Kind.FORCE_FOLDER), by.toMillis());
        node.did("disk: slower by " + by.toMillis() + " ms");
        return this;
    }

    /**
     * Turns over one bit of the batch that holds an offset, in this node's replica, as a disk does that rots: nothing
     * fails and nobody is told. Consumers are sent the batch as it is and find the wrong checksum; replicas do not take
     * it.
     *
     * @throws IllegalArgumentException if the replica has no such offset
     */
    public NodeDisk flipBit(String topic, int partition, long offset) {
        node.rot().add(SegmentRot.flipBit(node.logDirectory().resolve(topic + "-" + partition), offset));
        return this;
    }

    /**
     * Ends everything, and turns the bits back that rotted, where their batches are still there. A node that has failed
     * is to be restarted.
     */
    public NodeDisk heal() {
        faults.heal();
        for (SegmentRot rot : node.rot()) {
            rot.heal();
            node.rot().remove(rot);
        }
        node.did("disk: healed");
        return this;
    }

    /** How many operations were failed, slowed or found no room so far, over all heals. */
    public long strikes() {
        return faults.strikes();
    }

    private static boolean isOf(String topic, int partition, Path path) {
        Path folder = path.getParent();
        return folder != null && folder.endsWith(topic + "-" + partition);
    }

    @Override
    public String toString() {
        return "disk of " + node;
    }
}
