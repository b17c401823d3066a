package io.tidemark.broker.quorum;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.protocol.MetadataRecordSerde;
import io.tidemark.broker.raft.ElectionState;
import io.tidemark.broker.raft.Leader;
import io.tidemark.broker.raft.RaftNode;
import io.tidemark.broker.raft.Resigned;
import io.tidemark.broker.record.ControlRecordType;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import java.io.IOException;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks into a node's copy of the metadata log and its part in the quorum, for tests that run the loop themselves. */
public final class QuorumInsight {
    private static final int READ_BYTES = 1 << 20;

    private final QuorumReplica replica;

    private QuorumInsight(QuorumReplica replica) {
        this.replica = replica;
    }

    /** Null before the log is open. */
    public static @Nullable QuorumInsight of(MetadataSource source) {
        QuorumReplica replica = source instanceof ControllerNode controller
                ? controller.replica()
                : source instanceof MetadataFollower follower ? follower.replica() : null;
        return replica == null ? null : new QuorumInsight(replica);
    }

    private RaftNode raft() {
        return replica.raft();
    }

    public int leaderEpoch() {
        return raft().role().leaderEpoch();
    }

    public boolean isLeader() {
        return raft().role() instanceof Leader;
    }

    /** True where the node itself may have begun its epoch: by standing, leading, or giving up to lead. */
    public boolean mayBeginEpochs(int nodeId) {
        return raft().election().votedId() == nodeId || raft().role() instanceof Resigned;
    }

    /** The epoch, the vote in it and its leader, as this node has it in memory. */
    public ElectionState election() {
        return raft().election();
    }

    /** True while that is not durable. */
    public boolean isElectionPending() {
        return raft().isElectionPending();
    }

    public long highWatermark() {
        return raft().highWatermark();
    }

    public long startOffset() {
        return replica.log().startOffset();
    }

    public long endOffset() {
        return replica.log().endOffset();
    }

    /** Up to where the log was forced in this life of the node. */
    public long durableEndOffset() {
        return replica.log().durableEndOffset();
    }

    /** Who has a vote as this node has it. */
    public SortedSet<Integer> voterIds() {
        return new TreeSet<>(raft().voters().byId().keySet());
    }

    /** Where the epoch begins that this node leads, -1 while it leads none. */
    public long ledFromOffset() {
        return raft().role() instanceof Leader leader ? leader.epochStartOffset() : -1;
    }

    /** The voters that a batch writes down, null where it is another. */
    public static @Nullable SortedSet<Integer> votersIn(RecordBatch batch) {
        if (!batch.isControl()) {
            return null;
        }
        for (LogRecord record : batch.records()) {
            ByteBuf value = record.value();
            if (value != null && ControlRecordType.of(record) == ControlRecordType.KRAFT_VOTERS) {
                return new TreeSet<>(VoterRecords.readVoters(value).byId().keySet());
            }
        }
        return null;
    }

    /** The batches from one offset to another, both of them at the border of a batch. */
    public void forEachBatch(long from, long to, Consumer<RecordBatch> visitor) throws IOException {
        long next = from;
        while (next < to) {
            long before = next;
            for (RecordBatch batch :
                    RecordBatches.of(replica.log().read(next, READ_BYTES, to).toByteBuf())) {
                if (batch.baseOffset() >= next && batch.nextOffset() <= to) {
                    visitor.accept(batch);
                    next = batch.nextOffset();
                }
            }
            if (next == before) {
                throw new IOException("There is no whole batch at offset " + next + " of the metadata log, which goes"
                        + " from " + startOffset() + " to " + endOffset());
            }
        }
    }

    /** Takes a batch into a delta. */
    public static void replay(RecordBatch batch, MetadataDelta delta) {
        delta.advance(batch.lastOffset(), batch.partitionLeaderEpoch());
        if (batch.isControl()) {
            return;
        }
        for (LogRecord record : batch.records()) {
            ByteBuf value = record.value();
            if (value == null) {
                throw new IllegalStateException("Metadata record at offset " + record.offset() + " has no value");
            }
            delta.replay(
                    record.offset(),
                    batch.partitionLeaderEpoch(),
                    MetadataRecordSerde.read(value).message());
        }
    }
}
