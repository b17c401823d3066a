package io.tidemark;

import io.tidemark.ReplicaState.ReplicaLog;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One partition at one moment: what the controller has decided, and what each replica holds. Immutable.
 *
 * <pre>{@code
 * PartitionState state = cluster.partition("orders", 0).snapshot();
 * System.out.println(state.isr() + " " + state.replicas());
 * }</pre>
 *
 * @param topic the topic's name
 * @param partition the partition's number
 * @param topicId the topic's id, which no later topic of the same name shares
 * @param leader the broker that leads; empty where none does
 * @param leaderEpoch rises with each new leader
 * @param partitionEpoch rises with each change of leader or ISR
 * @param isr the in-sync replicas, in ascending order
 * @param elr the eligible leader replicas (KIP-966): out of the ISR, but with every committed record; ascending
 * @param replicas every replica, in the order of the assignment
 * @param uncleanElection true where a replica out of sync may be elected, so that committed records may be lost
 * @param metadataOffset the offset in the log of the metadata as of which the controller's part is told
 * @param seed the seed of the cluster
 */
public record PartitionState(
        String topic,
        int partition,
        String topicId,
        OptionalInt leader,
        int leaderEpoch,
        int partitionEpoch,
        List<Integer> isr,
        List<Integer> elr,
        List<ReplicaState> replicas,
        boolean uncleanElection,
        long metadataOffset,
        long seed) {
    public PartitionState {
        isr = isr.stream().sorted().toList();
        elr = elr.stream().sorted().toList();
        replicas = List.copyOf(replicas);
    }

    /** One past the last committed record, as the leader has it; empty while no leader has taken office. */
    public OptionalLong highWatermark() {
        ReplicaLog log = leaderLog();
        return log == null ? OptionalLong.empty() : OptionalLong.of(log.highWatermark());
    }

    /** One past the last record that a read_committed consumer may see; empty while no leader has taken office. */
    public OptionalLong lastStableOffset() {
        ReplicaLog log = leaderLog();
        return log == null ? OptionalLong.empty() : OptionalLong.of(log.lastStableOffset());
    }

    /** The first offset that the leader still has; empty while no leader has taken office. */
    public OptionalLong logStartOffset() {
        ReplicaLog log = leaderLog();
        return log == null ? OptionalLong.empty() : OptionalLong.of(log.logStartOffset());
    }

    /** One past the last record in one broker's log; empty where that broker is down or holds no replica. */
    public OptionalLong logEndOffset(int brokerId) {
        ReplicaState replica = replica(brokerId);
        return replica == null || replica.log() == null
                ? OptionalLong.empty()
                : OptionalLong.of(replica.log().logEndOffset());
    }

    /** The replica on a broker, or null where that broker has none. */
    public @Nullable ReplicaState replica(int brokerId) {
        for (ReplicaState replica : replicas) {
            if (replica.brokerId() == brokerId) {
                return replica;
            }
        }
        return null;
    }

    /** The ids of the brokers that hold a replica, the preferred leader first. */
    public List<Integer> replicaIds() {
        return replicas.stream().map(ReplicaState::brokerId).toList();
    }

    /** The topic and the number as in Kafka's own messages, for example {@code orders-0}. */
    public String name() {
        return topic + "-" + partition;
    }

    /** The leader's own log, once it acts as leader under the epoch that the controller gave it. */
    private @Nullable ReplicaLog leaderLog() {
        ReplicaState replica = leader.isPresent() ? replica(leader.getAsInt()) : null;
        ReplicaLog log = replica == null ? null : replica.log();
        return log != null && log.leads() && log.leaderEpoch() == leaderEpoch ? log : null;
    }

    /** Several lines: the partition, then each replica. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder()
                .append(name())
                .append(": leader ")
                .append(leader.isPresent() ? leader.getAsInt() : "none")
                .append(", leader epoch ")
                .append(leaderEpoch)
                .append(", ISR ")
                .append(isr)
                .append(elr.isEmpty() ? "" : ", ELR " + elr)
                .append(", replicas ")
                .append(replicaIds())
                .append(", partition epoch ")
                .append(partitionEpoch);
        for (ReplicaState replica : replicas) {
            text.append("\n  ").append(replica);
        }
        return text.toString();
    }
}
