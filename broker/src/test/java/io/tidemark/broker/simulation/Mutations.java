package io.tidemark.broker.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * The tester's test: each of these takes one rule out of the broker, and the simulation has to notice. A snippet that is
 * no longer there is a table to be brought up to date, not a rule that is no longer needed.
 */
final class Mutations {
    private Mutations() {}

    /** Those of transactions too. */
    static List<Mutation> every() {
        List<Mutation> every = new ArrayList<>(ALL);
        every.addAll(TransactionMutations.ALL);
        return every;
    }

    static final List<Mutation> ALL = List.of(
            // --- replication
            new Mutation(
                    "no epoch check on fetch and produce",
                    "INV-12",
                    "replication/HostedPartition",
                    "ErrorCode fence = EpochFence.check(requestedLeaderEpoch, role.leaderEpoch());",
                    "ErrorCode fence = ErrorCode.NONE;"),
            new Mutation(
                    "the watermark moves with too few in sync",
                    "INV-4",
                    "partition/LeaderPartition",
                    "private List<LeaderEffect> advance(long nowMs) {\n        if (isUnderMinIsr()) {",
                    "private List<LeaderEffect> advance(long nowMs) {\n        if (false) {"),
            new Mutation(
                    "the watermark is what the leader has",
                    "INV-4",
                    "partition/LeaderPartition",
                    "if (follower.logEndOffset() < least && holdsBackWatermark(follower, nowMs)) {",
                    "if (false) {"),
            new Mutation(
                    "the watermark does not wait for the ISR to have shrunk",
                    "INV-4",
                    "partition/IsrState",
                    "return List.copyOf(rest);\n"
                            + "        }\n\n"
                            + "        @Override\n"
                            + "        public List<Integer> maximal() {\n"
                            + "            return last.committed();",
                    "return List.copyOf(rest);\n"
                            + "        }\n\n"
                            + "        @Override\n"
                            + "        public List<Integer> maximal() {\n"
                            + "            return proposed();"),
            new Mutation(
                    "a lagging member does not hold the watermark back",
                    "INV-4",
                    "partition/LeaderPartition",
                    "return isr.maximal().contains(follower.brokerId())\n",
                    "return false\n"),
            new Mutation(
                    "acks=all is answered before the watermark has passed",
                    "INV-5",
                    "partition/LeaderPartition",
                    "if (highWatermark < endOffset) {\n            return null;",
                    "if (false) {\n            return null;"),
            new Mutation(
                    "consumers are shown what is not committed",
                    "INV-3",
                    "replication/HostedPartition",
                    "return consumer.isReadCommitted() ? lastStableOffset() : highWatermark();",
                    "return log.logEndOffset();"),
            new Mutation(
                    "a follower's watermark passes its log's end",
                    "INV-2",
                    "partition/FollowerPartition",
                    "long bounded = Math.min(leaderHighWatermark, logEndOffset);",
                    "long bounded = leaderHighWatermark;"),
            new Mutation(
                    "a watermark is taken from the checkpoint, whatever the log has",
                    "INV-2",
                    "replication/HostedPartition",
                    "long known = Math.max(log.logStartOffset(), Math.min(highWatermark, log.logEndOffset()));",
                    "long known = Math.max(log.logStartOffset(), highWatermark);"),
            new Mutation(
                    "a follower that diverges is not cut",
                    "INV-9",
                    "replication/FollowerLog",
                    "log.truncateTo(offset);",
                    ""),
            new Mutation(
                    "a follower is cut where the leader's epoch ends, whatever its own says",
                    "INV-9",
                    "partition/FollowerPartition",
                    "return Math.min(Math.min(local.endOffset(), leaders.endOffset()), logEndOffset);",
                    "return logEndOffset;"),
            new Mutation(
                    "a leader does not look for divergence",
                    "INV-9",
                    "replication/HostedPartition",
                    "return fits ? null : end;",
                    "return null;"),
            new Mutation(
                    "the start of a leader's epoch is not written before its first write",
                    "INV-8",
                    "replication/HostedPartition",
                    "log.assignEpochStart(decided.leaderEpoch(), log.logEndOffset());",
                    "if (log == null) { throw new IOException(); }"),
            new Mutation(
                    "epochs stay where a log is cut",
                    "INV-7",
                    "log/LeaderEpochs",
                    "if (startOffsets.values().removeIf(start -> start >= logEndOffset)) {",
                    "if (startOffsets == null) {"),
            new Mutation(
                            "a follower takes stale answers",
                            "INV-12",
                            "replication/ReplicaFetcher",
                            "return isAsAsked ? partition : null;",
                            "return partition;")
                    .and("underWay = null;\n            session.onFailure();\n            peer.close();", ""),
            // --- the log
            new Mutation(
                    "the metadata log is not forced", "INV-67", "log/FlushWork", "segment.file().force(false);", ""),
            new Mutation(
                    "the election is not forced",
                    "INV-67",
                    "quorum/QuorumStateFile",
                    "disk.replace(file, bytes(state, kraftVersion));",
                    "disk.rewrite(file, bytes(state, kraftVersion));"),
            new Mutation(
                    "recovery does not look at checksums",
                    "INV-21",
                    "log/SegmentRecovery",
                    "scanner.next() && scanner.checkCrc()",
                    "scanner.next()"),
            new Mutation(
                    "recovery leaves a torn tail",
                    "INV-21",
                    "log/SegmentRecovery",
                    "segment.cutFileTo(scanner.position());",
                    ""),
            new Mutation(
                    "the mark of a clean shutdown stays",
                    "INV-20",
                    "log/LogDirectory",
                    "CleanShutdownFile.delete(disk, path);",
                    ""),
            new Mutation(
                    "a follower is believed to have what it only asks for next",
                    "INV-4",
                    "replication/HostedPartition",
                    "reader.brokerId(), reader.brokerEpoch(), item.fetchOffset(), item.logStartOffset());",
                    "reader.brokerId(), reader.brokerEpoch(), item.fetchOffset() + 1, item.logStartOffset());"),
            // --- producers
            new Mutation(
                    "a repeated batch is appended again",
                    "INV-29",
                    "log/PartitionLog",
                    "if (repeated != null) {",
                    "if (false) {"),
            new Mutation(
                    "only the last batch of a producer is remembered",
                    "INV-29",
                    "log/ProducerState",
                    "static final int REMEMBERED_BATCHES = 5;",
                    "static final int REMEMBERED_BATCHES = 1;"),
            new Mutation(
                    "sequences are not checked",
                    "INV-29",
                    "log/ProducerRules",
                    "if (!batch.hasProducerId()) {",
                    "if (true) {"),
            new Mutation(
                    "a follower learns nothing of producers",
                    "INV-22",
                    "log/PartitionLog",
                    "            if (batch.hasProducerId()) {\n",
                    "            if (batch.hasProducerId() && appendTimeMs == -2) {\n"),
            new Mutation(
                    "producers are not known anew where a log is cut",
                    "INV-22",
                    "log/PartitionLog",
                    "snapshots.deleteAbove(logEndOffset);\n        rebuildProducers();",
                    "snapshots.deleteAbove(logEndOffset);"),
            // --- the controller
            new Mutation(
                    "a change of the ISR is no compare-and-set",
                    "INV-16",
                    "controller/IsrChanges",
                    "if (asked.partitionEpoch() < partition.partitionEpoch()) {",
                    "if (asked.partitionEpoch() < 0) {"),
            new Mutation(
                            "all who leave the ISR stay eligible",
                            "INV-14",
                            "controller/PartitionChangeBuilder",
                            "if (isr.size() >= minIsr()) {\n            elr = List.of();\n            return;",
                            "if (isr.size() >= 100) {\n            elr = List.of();\n            return;")
                    .and("if (elrEnabled && isr.size() >= minIsr()) {", "if (false) {"),
            new Mutation(
                    "unclean elections, whatever the topic says",
                    "INV-17",
                    "controller/LeaderChanges",
                    "if (configs.isUncleanElectionEnabled(image, topic.name())) {",
                    "if (true) {"),
            new Mutation(
                    "an unclean shutdown is none",
                    "INV-15",
                    "controller/BrokerControl",
                    "before.epoch() == request.previousBrokerEpoch()",
                    "before.epoch() != Long.MIN_VALUE"),
            new Mutation(
                    "who was fenced stays in the ISR",
                    "INV-14",
                    "controller/LeaderChanges",
                    "partition -> partition.isr().contains(brokerId),\n                replica -> replica != brokerId",
                    "partition -> false,\n                replica -> replica != brokerId"),
            new Mutation(
                    "an election keeps the leader epoch",
                    "INV-7",
                    "metadata/PartitionRegistration",
                    "leaderNamed ? leaderEpoch + 1 : leaderEpoch,",
                    "leaderEpoch,"),
            new Mutation(
                    "producer ids are given twice",
                    "INV-48",
                    "coordinator/runtime/ProducerIds",
                    "long id = current.firstId() + used++;",
                    "long id = current.firstId() + used;"),
            // --- the quorum
            new Mutation(
                    "a vote is given before it is durable",
                    "INV-67",
                    "raft/Outbox",
                    "(writesUnderWay > 0 ? held : ready).add(effect);",
                    "ready.add(effect);"),
            new Mutation(
                    "two votes in one epoch",
                    "INV-67",
                    "raft/VoteRules",
                    "if (election.votedId() != ElectionState.NOBODY) {",
                    "if (election.votedId() == vote.candidate().nodeId()) {"),
            new Mutation(
                    "a vote for whoever asks, whatever its log",
                    "INV-67",
                    "raft/VoteRules",
                    "boolean isUpToDate = FetchRules.isUpToDate(log, vote.lastEpoch(), vote.logEndOffset());",
                    "boolean isUpToDate = true;"),
            new Mutation(
                    "a pre-vote begins an epoch",
                    "INV-67",
                    "raft/RaftNode",
                    "new RaftRequest.Vote(role.leaderEpoch(), self,",
                    "new RaftRequest.Vote(role.leaderEpoch() + (isPreVote ? 1 : 0), self,"),
            new Mutation(
                    "the quorum's watermark moves without a record of the leader's own epoch",
                    "INV-67",
                    "raft/Leader",
                    "if (onMajority > epochStartOffset && onMajority > highWatermark) {",
                    "if (onMajority > highWatermark) {"),
            new Mutation(
                    "the quorum's watermark is what the leader has",
                    "INV-67",
                    "raft/Leader",
                    "long onMajority = ends.get((ends.size() - 1) / 2);",
                    "long onMajority = ends.get(ends.size() - 1);"),
            new Mutation(
                    "joins the ISR below the watermark",
                    "INV-13",
                    "partition/LeaderPartition",
                    "return follower.logEndOffset() >= highWatermark\n",
                    "return follower.logEndOffset() >= 0\n"),
            new Mutation(
                    "a node vouches for logs that it has not opened",
                    "INV-20",
                    "log/LogDirectory",
                    "boolean isWhole = isEveryLogOpen();",
                    "boolean isWhole = true;"),
            new Mutation(
                            "an answer of an older quorum epoch is taken",
                            "INV-67",
                            "quorum/QuorumFetcher",
                            "boolean isOfLeader = raft.role() instanceof Follower follower && follower.leaderEpoch()"
                                    + " == askedEpoch;",
                            "boolean isOfLeader = raft.role() instanceof Follower;")
                    .and(
                            "if (!isClosed && sent == number) {\n                    QuorumFetcher.this",
                            "if (!isClosed) {\n                    QuorumFetcher.this"),
            new Mutation(
                    "a voter's metadata log is not cut where it parts from the leader's",
                    "INV-67",
                    "quorum/QuorumReplica",
                    "log.truncateTo(endOffset);",
                    "if (endOffset < 0) { log.truncateTo(endOffset); }"),
            new Mutation(
                    "a write that is refused for too few replicas is appended all the same",
                    "INV-37",
                    "replication/HostedPartition",
                    "if (tooFew != ErrorCode.NONE) {\n",
                    "if (tooFew != ErrorCode.NONE) {\n"
                            + "try { log.appendAsLeader(batches, leader.leaderEpoch(), terms, clock.wallTimeMs());\n"
                            + "perform(leader.onAppend(log.logEndOffset(), clock.monotonicMs())); }\n"
                            + "catch (IOException | RuntimeException e) { goOffline(); }\n"),
            new Mutation(
                    "the latest offset is told before the watermark has passed the epoch's start",
                    "INV-61",
                    "partition/LeaderPartition",
                    "return highWatermark >= epochStartOffset;",
                    "return true;"),
            new Mutation(
                    "whoever is fenced may join the ISR",
                    "INV-13",
                    "controller/IsrChanges",
                    "if (!image.cluster().isActive(replica)) {",
                    "if (image.cluster().broker(replica) == null) {"),
            new Mutation(
                    "a voter asks for more before what it has is durable",
                    "INV-67",
                    "quorum/QuorumFetcher",
                    "if (isDurable && (raft.isElectionPending() || !log.isDurable())) {",
                    "if (isDurable && raft.isElectionPending()) {"),
            // --- who votes in the quorum
            new Mutation(
                    "the voters are changed again before that is committed",
                    "INV-67",
                    "raft/VoterChange",
                    "if (history.votersOffset() >= leader.highWatermark()) {",
                    "if (false) {"),
            new Mutation(
                    "voters count only once they are committed",
                    "INV-67",
                    "quorum/QuorumReplica",
                    "if (raft.voters() != voters.voters()) {",
                    "if (raft.voters() != voters.voters() && raft.highWatermark() > voters.votersOffset()) {"),
            new Mutation(
                    "a leader that has no vote any more goes on",
                    "INV-67",
                    "quorum/QuorumVoters",
                    "if (replica.raft().role() instanceof Leader && !replica.raft().isVoter()) {",
                    "if (false) {"),
            new Mutation(
                    "a leader that has no vote any more counts itself",
                    "INV-67",
                    "raft/Leader",
                    "Collections.sort(ends);",
                    "if (!voters.isVoter(settings.self())) { ends.add(durableEnd); }\nCollections.sort(ends);"),
            new Mutation(
                    "voters that were cut from the log go on counting",
                    "INV-67",
                    "raft/VoterHistory",
                    "votersByOffset.tailMap(endOffset, true).clear();",
                    ""),
            new Mutation(
                    "the voters of a fetched snapshot are not taken",
                    "INV-67",
                    "quorum/QuorumReplica",
                    "noteVoters(id, snapshot.quorum());",
                    ""),
            new Mutation(
                    "the identity of a voter is not forced",
                    "INV-67",
                    "quorum/QuorumReplica",
                    "directory.forceFormat(ELECTION_LANE);",
                    "if (directory == null) { return; }"));

    /**
     * Those that no seed of the hunt has shown yet, or none does any more; that a test of their own notices. This one needs
     * {@code min.insync.replicas} to be raised while an answer of the controller is under way, and an election just then:
     * {@code LeaderPartitionTest} makes that moment, in its two tests of a replica on its way out.
     */
    static final List<Mutation> OPEN = List.of(new Mutation(
            "who leaves does not hold the watermark back until the metadata has come as far",
            "INV-4",
            "partition/LeaderPartition",
            "leaving.addAll(isr.maximal());",
            ""));
}
