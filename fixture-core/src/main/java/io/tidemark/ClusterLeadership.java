package io.tidemark;

import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.PartitionSnapshot;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest.ReassignablePartition;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest.ReassignableTopic;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.ElectLeadersRequest;
import io.tidemark.broker.protocol.message.ElectLeadersRequest.TopicPartitions;
import io.tidemark.broker.protocol.message.ElectLeadersResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Who leads, decided by the test. The controller does it, as for an operator's tools; on return the new leader has taken
 * office. Safe from any thread.
 *
 * <pre>{@code
 * cluster.leadership().elect("orders", 0, 3);
 * cluster.leadership().shuffle(42);
 * cluster.leadership().electPreferred();
 * }</pre>
 */
public final class ClusterLeadership {
    private static final byte PREFERRED = 0;
    private static final byte UNCLEAN = 1;

    private final Cluster cluster;

    ClusterLeadership(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Has a replica in sync lead now. The assignment is the same afterwards, so its preferred leader too.
     *
     * @throws IllegalStateException if the broker is not in the ISR
     * @throws ClusterException if it is not elected
     */
    public void elect(String topic, int partition, int brokerId) {
        PartitionState state = cluster.view().partition(topic, partition);
        if (state.leader().isPresent() && state.leader().getAsInt() == brokerId) {
            return;
        }
        if (!state.isr().contains(brokerId)) {
            throw new IllegalStateException("Broker [" + brokerId + "] cannot be elected to lead " + topic + "-"
                    + partition + ": it is not in the ISR " + state.isr()
                    + "; wait for it, or electUnclean where there is no leader.\n" + state);
        }
        List<Integer> assignment =
                state.replicas().stream().map(ReplicaState::brokerId).toList();
        List<Integer> reordered = new ArrayList<>(assignment);
        reordered.remove(Integer.valueOf(brokerId));
        reordered.add(0, brokerId);
        // An operator can only elect the first of the assignment.
        assign(topic, partition, reordered);
        try {
            electNow(PREFERRED, topic, partition);
        } finally {
            assign(topic, partition, assignment);
        }
        awaitLeader(topic, partition, brokerId);
        cluster.deeds().add(topic + "-" + partition, "broker " + brokerId + " elected on purpose");
    }

    /**
     * Has a replica that is out of sync lead a partition that has no leader. What it lacks is lost.
     *
     * @return the new leader
     * @throws ClusterException if nobody is elected, as where there is a leader
     */
    public int electUnclean(String topic, int partition) {
        electNow(UNCLEAN, topic, partition);
        Readiness.awaitNothing(
                () -> hasLeaderInOffice(cluster.view(), topic, partition) ? List.of() : List.of("it has no leader"),
                "Nobody took office after an unclean election in " + topic + "-" + partition,
                cluster.startTimeout().toMillis());
        int leader = cluster.view().partition(topic, partition).leader().orElseThrow();
        cluster.deeds().add(topic + "-" + partition, "broker " + leader + " elected unclean on purpose");
        return leader;
    }

    /** Has every partition led by the first of its assignment again, where that one is in sync. */
    public void electPreferred() {
        for (PartitionState state : cluster.view().partitions()) {
            int preferred = state.replicas().get(0).brokerId();
            if (state.isr().contains(preferred)) {
                elect(state.topic(), state.partition(), preferred);
            }
        }
    }

    /**
     * Has every partition with more than one replica in sync led by another one of them, internal topics too.
     *
     * @param seed decides by whom
     * @return how many have another leader
     */
    public int shuffle(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int moved = 0;
        for (PartitionState state : cluster.view().partitions()) {
            List<Integer> others = othersInSync(state);
            if (!others.isEmpty()) {
                elect(state.topic(), state.partition(), others.get(random.nextInt(others.size())));
                moved++;
            }
        }
        return moved;
    }

    /**
     * Has the next replica in sync lead, again and again.
     *
     * @throws IllegalStateException if fewer than two are in sync
     */
    public void flap(String topic, int partition, int times) {
        for (int i = 0; i < times; i++) {
            move(topic, partition);
        }
    }

    /**
     * Has another replica in sync lead: the next after the leader in the order of the ids.
     *
     * @return the new leader
     * @throws IllegalStateException if fewer than two are in sync
     */
    public int move(String topic, int partition) {
        PartitionState state = cluster.view().partition(topic, partition);
        List<Integer> others = othersInSync(state);
        if (others.isEmpty()) {
            throw new IllegalStateException(
                    "Nobody else can lead " + topic + "-" + partition + ": nobody else is in sync.\n" + state);
        }
        int now = state.leader().orElse(-1);
        int next = others.stream().filter(id -> id > now).findFirst().orElse(others.get(0));
        elect(topic, partition, next);
        return next;
    }

    private static List<Integer> othersInSync(PartitionState state) {
        return state.isr().stream()
                .filter(id -> state.leader().isEmpty() || state.leader().getAsInt() != id)
                .toList();
    }

    /** Has other replicas, or the same in another order; on return the controller has decided so. */
    void assign(String topic, int partition, List<Integer> replicas) {
        AlterPartitionReassignmentsResponse response = cluster.askController(
                new AlterPartitionReassignmentsRequest()
                        .setTimeoutMs((int) cluster.startTimeout().toMillis())
                        .setTopics(List.of(new ReassignableTopic()
                                .setName(topic)
                                .setPartitions(List.of(new ReassignablePartition()
                                        .setPartitionIndex(partition)
                                        .setReplicas(replicas))))),
                AlterPartitionReassignmentsResponse.class,
                "assign the replicas of " + topic + "-" + partition);
        require(response.errorCode(), topic, partition, "assign the replicas of");
        require(
                response.responses().get(0).partitions().get(0).errorCode(),
                topic,
                partition,
                "assign the replicas of");
    }

    private void electNow(byte type, String topic, int partition) {
        ElectLeadersResponse response = cluster.askController(
                new ElectLeadersRequest()
                        .setElectionType(type)
                        .setTimeoutMs((int) cluster.startTimeout().toMillis())
                        .setTopicPartitions(
                                List.of(new TopicPartitions().setTopic(topic).setPartitions(List.of(partition)))),
                ElectLeadersResponse.class,
                "elect a leader of " + topic + "-" + partition);
        require(response.errorCode(), topic, partition, "elect a leader of");
        response.replicaElectionResults().forEach(result -> result.partitionResult()
                .forEach(elected -> require(elected.errorCode(), topic, partition, "elect a leader of")));
    }

    private static void require(short errorCode, String topic, int partition, String task) {
        if (errorCode != ErrorCode.NONE.code()) {
            throw new ClusterException(
                    "Could not " + task + " " + topic + "-" + partition + ": " + ErrorCode.forCode(errorCode));
        }
    }

    private void awaitLeader(String topic, int partition, int brokerId) {
        Readiness.awaitNothing(
                () -> {
                    ClusterView view = cluster.view();
                    PartitionState state = view.partition(topic, partition);
                    return hasLeaderInOffice(view, topic, partition)
                                    && state.leader().getAsInt() == brokerId
                            ? List.of()
                            : List.of("it is " + state);
                },
                "Broker " + brokerId + " does not lead " + topic + "-" + partition,
                cluster.startTimeout().toMillis());
    }

    /** A leader of a coordinator's topic has read what it coordinates, too: a client that asks it is answered. */
    private static boolean hasLeaderInOffice(ClusterView view, String topic, int partition) {
        PartitionState state = view.partition(topic, partition);
        if (state.leader().isEmpty() || state.highWatermark().isEmpty()) {
            return false;
        }
        NodeSnapshot leader = view.snapshots().get(state.leader().getAsInt());
        PartitionSnapshot replica = leader == null ? null : leader.partition(topic, partition);
        return replica != null && !replica.loading();
    }

    @Override
    public String toString() {
        return "leadership of " + cluster;
    }
}
