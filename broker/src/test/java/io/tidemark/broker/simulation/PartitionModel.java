package io.tidemark.broker.simulation;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is true of one partition, as one who sees every node at once knows it: what was ever committed, who led in which
 * epoch, and whose disk has lost something since it was in sync.
 */
final class PartitionModel {
    private static final int READ_BYTES = 1 << 20;

    final TopicPartition name;
    final Uuid topicId;

    /** The value at each offset below the highest watermark that any leader ever had. */
    final List<String> committed = new ArrayList<>();

    /** Up to where the leaders of an epoch took the log for committed. */
    private final TreeMap<Integer, Integer> committedIn = new TreeMap<>();

    /** Who was seen to lead in an epoch. */
    final Map<Integer, Integer> leaders = new HashMap<>();

    /** Epochs whose leader may lack what was committed, and why. */
    final Map<Integer, String> excuses = new HashMap<>();

    /** Brokers that lost power and were not in sync since, with the broker epoch of the life that did. */
    final Map<Integer, Long> tainted = new TreeMap<>();

    /** Brokers that lost power at any time. */
    final Set<Integer> lostPower = new TreeSet<>();

    /**
     * A replica of a compacted topic has a hole, as a loss of power may leave it: a segment lost its last batches, and the
     * next one is whole. In such a topic nobody, Kafka neither, can tell that from what compaction leaves, so nothing more
     * is expected of the partition.
     */
    boolean isTorn;

    /** Acknowledged by all: value to offset. */
    final Map<String, Long> acknowledged = new HashMap<>();

    final Set<String> acknowledgedOnce = new HashSet<>();
    final Set<String> refused = new TreeSet<>();
    final Map<Integer, Seen> seen = new HashMap<>();

    /**
     * Who is in the ISR since a reassignment was cancelled whose new replicas were all that was in sync; nobody, -1. As
     * in Kafka, with unclean elections on, the first of the old ones is taken for in sync then, whatever it has.
     */
    int revertedTo = -1;

    /** An operator has asked for an unclean election, and may be heard when much has changed since. */
    boolean isUncleanElectionAsked;

    @Nullable
    PartitionRegistration decided;

    /** Since which leader epoch the history is the one that it is; before the first excused loss, -1. */
    int lineageEpoch = -1;

    int lost;

    /** A replica when it was last looked at. */
    static final class Seen {
        int life;

        /** Another one where the partition went and came back. */
        @Nullable
        HostedPartition replica;

        int leaderEpoch = -1;
        boolean isLeading;
        long highWatermark;
        long endOffset;
        long epochSinceUs;
    }

    PartitionModel(TopicPartition name, Uuid topicId) {
        this.name = name;
        this.topicId = topicId;
    }

    /** Another value is committed, at the end. */
    void commit(String value, int leaderEpoch) {
        committed.add(value);
        committedIn.put(leaderEpoch, committed.size());
    }

    /** What a leader of this epoch must have, be it one who hears so late of it that others have led since. */
    List<String> committedBefore(int leaderEpoch) {
        Map.Entry<Integer, Integer> before = committedIn.lowerEntry(leaderEpoch);
        return before == null ? List.of() : committed.subList(0, Math.min(before.getValue(), committed.size()));
    }

    /** What is committed at an offset, in words. */
    String at(long offset) {
        return offset < committed.size()
                ? committed.get((int) offset)
                : "nothing (the watermark is " + committed.size() + ")";
    }

    boolean hasLost() {
        return lineageEpoch >= 0;
    }

    Seen seenOn(int broker) {
        return seen.computeIfAbsent(broker, id -> new Seen());
    }

    static String text(LogRecord record) {
        ByteBuf value = record.value();
        return value == null
                ? ""
                : value.toString(StandardCharsets.UTF_8).codePoints().allMatch(one -> one >= ' ' && one < 127)
                        ? value.toString(StandardCharsets.UTF_8)
                        : ByteBufUtil.hexDump(value);
    }

    /** The values of a replica's log from one offset to another; fewer where it ends before. */
    static List<String> values(HostedPartition replica, long from, long to) throws IOException {
        List<String> values = new ArrayList<>();
        long next = from;
        while (next < to) {
            // After a loss a watermark may lie within a batch.
            ByteBuf bytes = replica.log()
                    .read(next, READ_BYTES, replica.logEndOffset(), true)
                    .toByteBuf();
            long before = next;
            for (RecordBatch batch : RecordBatches.of(bytes)) {
                for (LogRecord record : batch.records()) {
                    if (record.offset() >= next && record.offset() < to) {
                        values.add(text(record));
                        next = record.offset() + 1;
                    }
                }
            }
            if (next == before) {
                break;
            }
        }
        return values;
    }

    @Override
    public String toString() {
        return name + " (" + topicId + ")";
    }
}
