package io.tidemark.broker.replication;

import io.tidemark.broker.purgatory.Purgatory;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What happens to the hosted partitions in a turn of the loop, told after it: to the watch, to the listeners of their topics,
 * to the requests that wait. What that brings about waits for the next turn.
 */
final class PartitionNews {
    private final Loop loop;
    private final Map<TopicPartition, HostedPartition> partitions;
    private final Purgatory<TopicPartition> waiting;
    private final Map<String, List<PartitionListener>> listeners = new HashMap<>();
    private final Set<TopicPartition> changed = new LinkedHashSet<>();
    private final List<Runnable> notices = new ArrayList<>();
    private ReplicaWatch watch = ReplicaWatch.NONE;
    private boolean isScheduled;

    /** @param partitions those that are hosted, as they come and go */
    PartitionNews(Loop loop, Map<TopicPartition, HostedPartition> partitions) {
        this.loop = loop;
        this.partitions = partitions;
        this.waiting = new Purgatory<>(loop);
    }

    void watchedBy(ReplicaWatch newWatch) {
        watch = newWatch;
    }

    /** The requests that wait for something to happen to a partition. */
    Purgatory<TopicPartition> waiting() {
        return waiting;
    }

    /** Tells of a topic's partitions from now on, and of those that are led here already. */
    void listen(String topic, PartitionListener listener) {
        listeners.computeIfAbsent(topic, name -> new ArrayList<>()).add(listener);
        for (HostedPartition partition : partitions.values()) {
            if (partition.id().topic().equals(topic) && partition.isLeader()) {
                int leaderEpoch = partition.leaderEpoch();
                notice(() -> listener.onLeader(partition, leaderEpoch));
            }
        }
    }

    void changed(HostedPartition partition) {
        changed.add(partition.topicPartition());
        schedule();
    }

    /** Lets every listener of the partition's topic hear of an event. */
    void tell(HostedPartition partition, Consumer<PartitionListener> event) {
        for (PartitionListener listener : listeners.getOrDefault(partition.id().topic(), List.of())) {
            notice(() -> event.accept(listener));
        }
    }

    private void notice(Runnable notice) {
        notices.add(notice);
        schedule();
    }

    private void schedule() {
        if (!isScheduled) {
            isScheduled = true;
            loop.execute(this::tellAll);
        }
    }

    private void tellAll() {
        isScheduled = false;
        List<Runnable> told = new ArrayList<>(notices);
        notices.clear();
        List<TopicPartition> woken = new ArrayList<>(changed);
        changed.clear();
        woken.forEach(this::show);
        told.forEach(Runnable::run);
        woken.forEach(waiting::onEvent);
    }

    private void show(TopicPartition id) {
        HostedPartition partition = partitions.get(id);
        if (partition != null) {
            watch.onChanged(
                    id,
                    partition.isLeader(),
                    partition.logEndOffset(),
                    partition.highWatermark(),
                    partition.lastStableOffset());
        }
    }
}
