package io.tidemark;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * One consumer group of a cluster, to look into. Each call asks the coordinator anew. Safe from any thread.
 *
 * <pre>{@code
 * GroupHandle billing = cluster.group("billing");
 * billing.awaitStable(2, Duration.ofSeconds(20));
 * assertThat(billing).eventually().hasCommitted("orders", 0, 30).hasNoLag();
 * }</pre>
 */
public final class GroupHandle {
    private final Cluster cluster;
    private final String groupId;

    GroupHandle(Cluster cluster, String groupId) {
        this.cluster = cluster;
        this.groupId = groupId;
    }

    /** The cluster that it belongs to. */
    public Cluster cluster() {
        return cluster;
    }

    public String groupId() {
        return groupId;
    }

    /**
     * The group now.
     *
     * @throws IllegalArgumentException if no running broker knows of such a group
     */
    public GroupState snapshot() {
        return snapshotIfPresent()
                .orElseThrow(() -> new IllegalArgumentException("No running broker knows of the group [" + groupId
                        + "]: it has neither members nor offsets, or its coordinator is down or on its way;"
                        + " wait with assertThat(group).eventually()"));
    }

    /** As {@link #snapshot()}, and empty while no running broker knows of such a group. */
    public Optional<GroupState> snapshotIfPresent() {
        return GroupInspection.of(cluster, groupId);
    }

    /**
     * The generation: how often its members were given out partitions anew, as its coordinator has last written it. Empty
     * where none is written, as for a group that has offsets alone.
     */
    public OptionalInt generation() {
        return GroupTimeline.generation(cluster, groupId);
    }

    /**
     * How many committed records lie between the group's offset and the high watermark, of each partition that it has
     * committed for. Counted are records that a consumer would be given: markers and what compaction took are not.
     *
     * @throws IllegalArgumentException if no running broker knows of such a group
     */
    public SortedMap<String, Long> lag() {
        SortedMap<String, Long> lag = new TreeMap<>();
        snapshot().committed().forEach((name, offset) -> {
            int dash = name.lastIndexOf('-');
            PartitionHandle partition =
                    cluster.partition(name.substring(0, dash), Integer.parseInt(name.substring(dash + 1)));
            lag.put(
                    name,
                    partition.committedRecords().stream()
                            .filter(record -> record.offset() >= offset)
                            .count());
        });
        return lag;
    }

    /**
     * Every commit of the group that its log still holds, in the order of the log, those in transactions too. Read out of
     * the files; empty while the log has no leader.
     */
    public List<OffsetCommit> commits() {
        return cluster.partitions().stream()
                .filter(partition -> partition.topic().equals(GroupTimeline.TOPIC)
                        && partition.leader().isPresent())
                .flatMap(partition -> GroupTimeline.commits(
                        groupId,
                        partition.name(),
                        cluster.partition(partition.topic(), partition.partition())
                                .recordsOn(partition.leader().getAsInt()))
                        .stream())
                .toList();
    }

    /**
     * Waits until the group is stable with so many members.
     *
     * @throws ClusterException if it is not when the time is up; the message shows the group
     */
    public void awaitStable(int members, Duration timeout) {
        Readiness.awaitNothing(
                () -> missing(group -> group.state().equals(GroupState.STABLE)
                        && group.members().size() == members),
                "Group " + groupId + " is not stable with " + members + " members",
                timeout.toMillis());
    }

    /**
     * Waits until the group has committed an offset of a partition, or a later one.
     *
     * @throws ClusterException if it has not when the time is up; the message shows the group
     */
    public void awaitCommitted(String topic, int partition, long offset, Duration timeout) {
        String name = topic + "-" + partition;
        Readiness.awaitNothing(
                () -> missing(
                        group -> Objects.requireNonNullElse(group.committed().get(name), -1L) >= offset),
                "Group " + groupId + " has not committed " + offset + " of " + name,
                timeout.toMillis());
    }

    private List<String> missing(Predicate<GroupState> wanted) {
        Optional<GroupState> group = snapshotIfPresent();
        if (group.isEmpty()) {
            return List.of("the group itself");
        }
        return wanted.test(group.get()) ? List.of() : List.of("it is " + group.get());
    }

    @Override
    public String toString() {
        return "group " + groupId;
    }
}
