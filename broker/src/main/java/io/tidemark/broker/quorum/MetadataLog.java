package io.tidemark.broker.quorum;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.log.EpochEndOffset;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.LogSlice;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.RecordFormat;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.MessageWriter;
import io.tidemark.broker.protocol.MetadataRecordSerde;
import io.tidemark.broker.protocol.message.LeaderChangeMessage;
import io.tidemark.broker.raft.Leader;
import io.tidemark.broker.raft.LogView;
import io.tidemark.broker.raft.SnapshotId;
import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.raft.VoterHistory;
import io.tidemark.broker.raft.VoterSet;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.ControlRecordType;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code __cluster_metadata-0} of one node. Records are framed as Kafka frames them, each command's records are one
 * batch. A force runs beside the loop, one at a time: what is appended meanwhile shares the next one.
 */
final class MetadataLog implements LogView {
    private static final String FORCE_LANE = "metadata-log";
    private static final int REPLAY_BYTES = 1024 * 1024;

    private final PartitionLog log;
    private final Clock clock;
    private final Loop loop;
    private final LongConsumer onDurable;
    private long lastTimestampMs = RecordBatch.NO_TIMESTAMP;

    private final VoterHistory voters;
    private @Nullable MetadataSnapshots snapshots;
    private boolean isForcing;
    private boolean isForceWanted;
    private boolean isForceScheduled;

    /** What is forced; and no more than this of what a force under way will have forced, for the log was cut. */
    private long durableEnd;

    private long cutWhileForcing = Long.MAX_VALUE;

    /**
     * @param onDurable told the end of what a force has made durable, on the loop
     */
    private MetadataLog(PartitionLog log, Clock clock, Loop loop, LongConsumer onDurable, VoterHistory voters) {
        this.log = log;
        this.clock = clock;
        this.loop = loop;
        this.onDurable = onDurable;
        this.voters = voters;
    }

    static MetadataLog open(
            LogDirectory directory,
            QuorumSettings settings,
            Clock clock,
            Loop loop,
            LongConsumer onDurable,
            VoterHistory voters)
            throws IOException {
        PartitionLog log = directory.openPartition(
                LogDirectory.METADATA_PARTITION, Uuid.METADATA_TOPIC_ID, settings.logConfig(), clock.wallTimeMs());
        MetadataLog opened = new MetadataLog(log, clock, loop, onDurable, voters);
        opened.findVoters();
        return opened;
    }

    /** All control records that are there, committed or not. */
    private void findVoters() throws IOException {
        long next = log.logStartOffset();
        while (next < log.logEndOffset()) {
            long before = next;
            for (RecordBatch batch : RecordBatches.of(
                    read(next, REPLAY_BYTES, log.logEndOffset()).toByteBuf())) {
                noteVoters(batch);
                next = Math.max(next, batch.nextOffset());
            }
            if (next == before) {
                throw new IOException("Metadata log in " + log.directory() + " has no whole batch at offset " + next);
            }
        }
    }

    private void noteVoters(RecordBatch batch) {
        if (!batch.isControl()) {
            return;
        }
        for (LogRecord record : batch.records()) {
            ControlRecordType type = ControlRecordType.of(record);
            ByteBuf value = record.value();
            if (value != null && type == ControlRecordType.KRAFT_VOTERS) {
                voters.addVoters(record.offset(), VoterRecords.readVoters(value));
            } else if (value != null && type == ControlRecordType.KRAFT_VERSION) {
                voters.addKraftVersion(record.offset(), VoterRecords.readKraftVersion(value));
            }
        }
    }

    /** Writes who votes from here on; that counts as soon as it is in the log. */
    void appendVoters(int leaderEpoch, VoterSet newVoters) throws IOException {
        long offset = log.logEndOffset();
        appendControl(leaderEpoch, ControlRecordType.KRAFT_VOTERS, VoterRecords.write(newVoters));
        voters.addVoters(offset, newVoters);
    }

    void appendKraftVersion(int leaderEpoch, short kraftVersion) throws IOException {
        long offset = log.logEndOffset();
        appendControl(leaderEpoch, ControlRecordType.KRAFT_VERSION, VoterRecords.write(kraftVersion));
        voters.addKraftVersion(offset, kraftVersion);
    }

    private void appendControl(int leaderEpoch, ControlRecordType type, byte[] value) throws IOException {
        append(
                leaderEpoch,
                new RecordBatchBuilder()
                        .baseOffset(log.logEndOffset())
                        .leaderEpoch(leaderEpoch)
                        .control(type, clock.wallTimeMs(), value));
    }

    Path folder() {
        return log.directory();
    }

    @Override
    public long startOffset() {
        return log.logStartOffset();
    }

    @Override
    public long endOffset() {
        return log.logEndOffset();
    }

    @Override
    public int lastEpoch() {
        SnapshotId snapshot = latestSnapshot();
        return log.latestEpoch().orElse(snapshot == null ? 0 : snapshot.leaderEpoch());
    }

    @Override
    public int epochFloor(int leaderEpoch) {
        int latest = log.latestEpoch().orElse(-1);
        if (latest < 0 || leaderEpoch >= latest) {
            return latest;
        }
        EpochEndOffset end = log.endOffsetForEpoch(leaderEpoch);
        return end.isUndefined() ? -1 : end.leaderEpoch();
    }

    @Override
    public long endOffsetOf(int leaderEpoch) {
        return leaderEpoch == lastEpoch()
                ? log.logEndOffset()
                : log.endOffsetForEpoch(leaderEpoch).endOffset();
    }

    /** Starts an epoch with the control record that says who leads it. */
    void beginEpoch(Leader leader, int leaderId) throws IOException {
        int leaderEpoch = leader.leaderEpoch();
        log.assignEpochStart(leaderEpoch, log.logEndOffset());
        LeaderChangeMessage message = new LeaderChangeMessage().setLeaderId(leaderId);
        for (Voter voter : leader.voterSet().voters()) {
            LeaderChangeMessage.Voter written = new LeaderChangeMessage.Voter().setVoterId(voter.nodeId());
            if (voters.kraftVersion() > 0) {
                written.setVoterDirectoryId(voter.directoryId());
            }
            message.voters().add(written);
            if (leader.granting().contains(voter.nodeId())) {
                message.grantingVoters().add(written);
            }
        }
        short version = (short) Math.min(voters.kraftVersion(), message.highestSupportedVersion());
        message.setVersion(version);
        MessageWriter value = new MessageWriter();
        message.write(value, version);
        appendControl(leaderEpoch, ControlRecordType.LEADER_CHANGE, value.toByteArray());
    }

    /**
     * Appends one command's records as one batch.
     *
     * @param metadataVersion the finalized level, which says how to write them
     * @return the offset of the first
     */
    long append(int leaderEpoch, List<ApiMessage> records, short metadataVersion) throws IOException {
        long nowMs = clock.wallTimeMs();
        long baseOffset = log.logEndOffset();
        RecordBatchBuilder batch =
                new RecordBatchBuilder().baseOffset(baseOffset).leaderEpoch(leaderEpoch);
        for (ApiMessage record : records) {
            batch.add(nowMs, null, RecordFormat.write(record, metadataVersion));
        }
        append(leaderEpoch, batch);
        return baseOffset;
    }

    private void append(int leaderEpoch, RecordBatchBuilder batch) throws IOException {
        lastTimestampMs = clock.wallTimeMs();
        log.appendAsLeader(batch.build(), leaderEpoch, AppendOrigin.RAFT_LEADER, lastTimestampMs);
        force();
    }

    void appendAsFollower(ByteBuf batches, int leaderEpoch) throws IOException {
        int start = batches.readerIndex();
        int length = batches.readableBytes();
        log.appendAsFollower(batches, leaderEpoch, clock.wallTimeMs());
        for (RecordBatch batch : RecordBatches.of(batches.slice(start, length))) {
            if (batch.nextOffset() <= log.logEndOffset()) {
                noteVoters(batch);
            }
        }
    }

    void truncateTo(long endOffset) throws IOException {
        log.truncateTo(endOffset);
        voters.truncateTo(log.logEndOffset());
        durableEnd = Math.min(durableEnd, log.logEndOffset());
        cutWhileForcing = Math.min(cutWhileForcing, log.logEndOffset());
    }

    /** True where all of it was forced. */
    boolean isDurable() {
        return durableEnd >= log.logEndOffset();
    }

    /** Up to where it was forced in this life. */
    long durableEndOffset() {
        return durableEnd;
    }

    long sizeInBytes() {
        return log.sizeInBytes();
    }

    /** How many bytes lie from an offset on. */
    long sizeInBytesFrom(long offset) throws IOException {
        return log.sizeInBytesFrom(Math.max(offset, log.logStartOffset()));
    }

    /** The timestamp of the last record that was appended or replayed; the time now where none was. */
    long lastTimestampMs() {
        return lastTimestampMs == RecordBatch.NO_TIMESTAMP ? clock.wallTimeMs() : lastTimestampMs;
    }

    /** A snapshot has what is below an offset; whole segments of that go. */
    void startAt(long offset) throws IOException {
        log.incrementLogStartOffset(offset);
        log.applyRetention(offset, clock.wallTimeMs());
    }

    /** A snapshot takes the place of the log. It is durable, and the next start finds it whatever the log is like. */
    void restartAt(SnapshotId snapshot) throws IOException {
        log.truncateFullyAndStartAt(snapshot.endOffset());
        voters.truncateTo(0);
        durableEnd = snapshot.endOffset();
        cutWhileForcing = snapshot.endOffset();
        force();
    }

    /** What is below the log's start is in these. */
    void standsOn(MetadataSnapshots storedSnapshots) {
        snapshots = storedSnapshots;
    }

    @Override
    public @Nullable SnapshotId earliestSnapshot() {
        return snapshots == null ? null : snapshots.earliest();
    }

    @Override
    public @Nullable SnapshotId latestSnapshot() {
        return snapshots == null ? null : snapshots.latest();
    }

    LogSlice read(long startOffset, int maxBytes, long upperBoundOffset) throws IOException {
        return log.read(startOffset, maxBytes, upperBoundOffset, true);
    }

    /** Makes what is there durable, after this turn of the loop, so that all that a turn appends shares one force. */
    void force() {
        if (isForcing) {
            isForceWanted = true;
        } else if (!isForceScheduled) {
            isForceScheduled = true;
            loop.execute(this::startForce);
        }
    }

    private void startForce() {
        isForceScheduled = false;
        isForcing = true;
        cutWhileForcing = Long.MAX_VALUE;
        loop.runBeside(FORCE_LANE, log.flushWork(), this::forced);
    }

    private void forced(@Nullable Long endOffset, @Nullable Throwable failure) {
        if (failure != null || endOffset == null) {
            throw new UncheckedIOException(
                    "Metadata log in " + log.directory() + " could not be forced to disk",
                    failure instanceof IOException io ? io : new IOException(failure));
        }
        isForcing = false;
        // Above a cut there are other records by now, of which this force knows nothing.
        durableEnd = Math.min(endOffset, cutWhileForcing);
        log.flushed(durableEnd);
        if (isForceWanted) {
            isForceWanted = false;
            startForce();
        }
        onDurable.accept(durableEnd);
    }

    /**
     * Replays what lies between two offsets into a delta. Both are at batch borders.
     *
     * @param endOffset exclusive
     */
    void replay(long startOffset, long endOffset, MetadataDelta delta) throws IOException {
        long next = startOffset;
        while (next < endOffset) {
            LogSlice slice = read(next, REPLAY_BYTES, endOffset);
            long before = next;
            for (RecordBatch batch : RecordBatches.of(slice.toByteBuf())) {
                if (batch.baseOffset() >= startOffset && batch.nextOffset() <= endOffset) {
                    lastTimestampMs = batch.maxTimestamp();
                    replay(batch, delta);
                    next = batch.nextOffset();
                }
            }
            if (next == before) {
                throw new IOException("Metadata log in " + log.directory() + " has no whole batch at offset " + next
                        + "; expected batches up to " + endOffset);
            }
        }
    }

    private static void replay(RecordBatch batch, MetadataDelta delta) {
        int leaderEpoch = batch.partitionLeaderEpoch();
        if (batch.isControl()) {
            delta.advance(batch.lastOffset(), leaderEpoch);
            return;
        }
        for (LogRecord record : batch.records()) {
            ByteBuf value = record.value();
            if (value == null) {
                throw new IllegalStateException("Metadata record at offset " + record.offset() + " has no value");
            }
            delta.replay(
                    record.offset(),
                    leaderEpoch,
                    MetadataRecordSerde.read(value).message());
        }
    }
}
