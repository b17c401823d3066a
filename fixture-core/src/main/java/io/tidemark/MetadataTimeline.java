package io.tidemark;

import io.netty.buffer.ByteBuf;
import io.tidemark.TimelineEvent.Kind;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.MetadataRecordSerde;
import io.tidemark.broker.protocol.metadata.BrokerRegistrationChangeRecord;
import io.tidemark.broker.protocol.metadata.ConfigRecord;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.RemoveTopicRecord;
import io.tidemark.broker.protocol.metadata.TopicRecord;
import io.tidemark.broker.protocol.metadata.UnregisterBrokerRecord;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.types.Uuid;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The history that the cluster keeps of itself: every election, ISR change, registration and config is a record with a
 * time in the log of the metadata. Read when it is asked for, so that it costs a running cluster nothing.
 */
final class MetadataTimeline {
    private static final String METADATA_FOLDER = "__cluster_metadata-0";
    private static final int LEADER_UNCHANGED = -2;

    private final List<TimelineEvent> events = new ArrayList<>();
    private final Map<Uuid, String> topicNames = new HashMap<>();
    private final Map<String, Partition> partitions = new HashMap<>();
    private int quorumEpoch = -1;

    /** What is known of a partition so far. */
    private record Partition(int leader, int leaderEpoch, List<Integer> isr) {}

    private MetadataTimeline() {}

    /** Of the metadata log in one node's folder, in its order. */
    static List<TimelineEvent> in(Path nodeFolder) {
        MetadataTimeline timeline = new MetadataTimeline();
        ReplicaFiles.forEachBatch(nodeFolder.resolve(METADATA_FOLDER), timeline::take);
        return timeline.events;
    }

    private void take(RecordBatch batch) {
        if (batch.isControl()) {
            if (batch.partitionLeaderEpoch() > quorumEpoch) {
                quorumEpoch = batch.partitionLeaderEpoch();
                add(
                        batch.maxTimestamp(),
                        Kind.CONTROLLER,
                        "controllers",
                        "elected a leader, quorum epoch " + quorumEpoch);
            }
            return;
        }
        for (LogRecord record : batch.records()) {
            ByteBuf value = record.value();
            if (value != null) {
                take(record.timestamp(), MetadataRecordSerde.read(value).message());
            }
        }
    }

    private void take(long timestampMs, ApiMessage message) {
        if (message instanceof TopicRecord topic) {
            topicNames.put(topic.topicId(), topic.name());
            add(timestampMs, Kind.TOPIC, topic.name(), "created");
        } else if (message instanceof RemoveTopicRecord removed) {
            add(timestampMs, Kind.TOPIC, nameOf(removed.topicId()), "deleted");
        } else if (message instanceof PartitionRecord partition) {
            String name = nameOf(partition.topicId()) + "-" + partition.partitionId();
            change(
                    timestampMs,
                    name,
                    new Partition(partition.leader(), partition.leaderEpoch(), partition.isr()),
                    true);
        } else if (message instanceof PartitionChangeRecord change) {
            takeChange(timestampMs, change);
        } else if (message instanceof RegisterBrokerRecord broker) {
            add(timestampMs, Kind.BROKER, "broker " + broker.brokerId(), "registered");
        } else if (message instanceof UnregisterBrokerRecord broker) {
            add(timestampMs, Kind.BROKER, "broker " + broker.brokerId(), "unregistered");
        } else if (message instanceof BrokerRegistrationChangeRecord change && change.fenced() != 0) {
            add(
                    timestampMs,
                    Kind.BROKER,
                    "broker " + change.brokerId(),
                    change.fenced() > 0 ? "fenced: it may not lead" : "unfenced");
        } else if (message instanceof ConfigRecord config) {
            add(
                    timestampMs,
                    Kind.CONFIG,
                    new ConfigResource(config.resourceType(), config.resourceName()).toString(),
                    config.name() + "=" + config.value());
        }
    }

    private void takeChange(long timestampMs, PartitionChangeRecord change) {
        String name = nameOf(change.topicId()) + "-" + change.partitionId();
        Partition before = partitions.getOrDefault(name, new Partition(-1, -1, List.of()));
        boolean isElection = change.leader() != LEADER_UNCHANGED;
        List<Integer> isr = change.isr() == null ? before.isr() : change.isr();
        change(
                timestampMs,
                name,
                new Partition(
                        isElection ? change.leader() : before.leader(),
                        isElection ? before.leaderEpoch() + 1 : before.leaderEpoch(),
                        isr),
                isElection);
    }

    private void change(long timestampMs, String name, Partition now, boolean isElection) {
        partitions.put(name, now);
        String isr = "ISR " + now.isr().stream().sorted().toList();
        if (isElection) {
            events.add(new TimelineEvent(
                    timestampMs,
                    Kind.LEADER,
                    name,
                    "leader " + (now.leader() < 0 ? "none" : now.leader()) + ", leader epoch " + now.leaderEpoch()
                            + ", " + isr,
                    now.leader() < 0 ? OptionalInt.empty() : OptionalInt.of(now.leader())));
        } else {
            add(timestampMs, Kind.ISR, name, isr);
        }
    }

    private String nameOf(Uuid topicId) {
        return topicNames.getOrDefault(topicId, topicId.toString());
    }

    private void add(long timestampMs, Kind kind, String subject, String text) {
        events.add(new TimelineEvent(timestampMs, kind, subject, text));
    }
}
