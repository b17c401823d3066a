package io.tidemark.broker.simulation;

import io.tidemark.broker.Broker;
import io.tidemark.broker.NodeInsight;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.quorum.MetadataSource;
import io.tidemark.broker.quorum.QuorumInsight;
import io.tidemark.broker.raft.ElectionState;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows what must hold of the metadata quorum (INV-67): one leader per epoch; one durable vote per node and epoch, which
 * no crash takes back; what was committed stays what it was, on everybody who takes it for committed, and every later
 * leader has it. Replays each committed batch, and tells what it has changed.
 */
final class QuorumOracle {
    private final World world;
    private final Map<Integer, SimulatedNode> nodes;
    private final VoterOracle voters;
    private final Listener listener;
    private final Map<Integer, Integer> leaders = new HashMap<>();
    private final Map<Integer, Seen> seen = new HashMap<>();

    /** What is committed, offset by offset: a hash of its batch. */
    private final List<Long> committed = new ArrayList<>();

    /** Up to where the leader of an epoch took the metadata for committed. */
    private final TreeMap<Integer, Integer> committedIn = new TreeMap<>();

    private MetadataImage decided = MetadataImage.EMPTY;
    private int elections;

    /** The highest epoch that anybody has begun. */
    private int begunEpoch;

    /** Hears what is decided, one command's records at a time. */
    interface Listener {
        void onDecided(MetadataImage before, MetadataImage after);
    }

    /** A node when it was last looked at. */
    private static final class Seen {
        int life;
        int leaderEpoch;
        long epochSinceUs;
        int ledEpoch = -1;
        boolean mayBeginEpochs;
        long highWatermark;
        long startOffset;
        long endOffset;

        /** Over all lives: what others were told of. */
        int durableEpoch;

        /** Over all lives: up to where the log was forced, and not cut since. */
        long durableEnd;

        final Map<Integer, Integer> votes = new HashMap<>();
    }

    /** @param nodes by id, filled before anything is looked at */
    QuorumOracle(World world, Map<Integer, SimulatedNode> nodes, VoterOracle voters, Listener listener) {
        this.world = world;
        this.nodes = nodes;
        this.voters = voters;
        this.listener = listener;
    }

    VoterOracle voters() {
        return voters;
    }

    /** The metadata up to what is committed. */
    MetadataImage decided() {
        return decided;
    }

    int electionCount() {
        return elections;
    }

    /** How many offsets are committed. */
    long committedEnd() {
        return committed.size();
    }

    static @Nullable QuorumInsight insight(SimulatedNode node) {
        Broker broker = node.broker();
        MetadataSource source = broker == null ? null : NodeInsight.metadata(broker);
        return source == null ? null : QuorumInsight.of(source);
    }

    /** @param fetchAskedUs when the fetch was sent whose answer the event was about, or the greatest number */
    void look(SimulatedNode node, long fetchAskedUs) throws IOException {
        QuorumInsight replica = insight(node);
        if (replica == null) {
            return;
        }
        Seen last = seen.computeIfAbsent(node.id(), id -> new Seen());
        boolean isNewLife = last.life != node.life();
        if (isNewLife) {
            last.life = node.life();
            last.leaderEpoch = last.durableEpoch;
            last.epochSinceUs = world.nowUs();
            last.highWatermark = 0;
            last.ledEpoch = -1;
            last.mayBeginEpochs = false;
            last.endOffset = replica.endOffset();
        }
        if (node.isController()) {
            // A snapshot in the log's place may end where the log did.
            if (replica.endOffset() != last.endOffset || replica.startOffset() != last.startOffset || isNewLife) {
                voters.read(node, replica);
                last.startOffset = replica.startOffset();
            }
            lookAtVoter(node, replica, last);
        }
        if (replica.leaderEpoch() > last.leaderEpoch) {
            last.leaderEpoch = replica.leaderEpoch();
            last.epochSinceUs = world.nowUs();
        }
        if (replica.endOffset() != last.endOffset && fetchAskedUs < last.epochSinceUs) {
            throw new Violation("[INV-67] Node " + node.id() + ", which is in quorum epoch " + last.leaderEpoch
                    + ", takes the answer to a fetch of an older one: its metadata ended at " + last.endOffset
                    + " and ends at " + replica.endOffset());
        }
        last.endOffset = replica.endOffset();
        last.durableEnd = Math.min(Math.max(last.durableEnd, replica.durableEndOffset()), replica.endOffset());
        lookAtCommitted(node, replica, last);
        if (node.isController()) {
            voters.look(node, replica, committed.size());
        }
    }

    private void lookAtVoter(SimulatedNode node, QuorumInsight voter, Seen last) throws IOException {
        int leaderEpoch = voter.leaderEpoch();
        if (leaderEpoch < last.leaderEpoch) {
            throw new Violation("[INV-67] The quorum epoch of controller " + node.id() + " falls from "
                    + last.leaderEpoch + " to " + leaderEpoch);
        }
        boolean mayBegin = voter.mayBeginEpochs(node.id());
        if (leaderEpoch > begunEpoch) {
            if (!mayBegin && !last.mayBeginEpochs) {
                throw new Violation("[INV-67] Controller " + node.id() + " is in quorum epoch " + leaderEpoch
                        + ", in which nobody stood; the last in which somebody did is " + begunEpoch);
            }
            begunEpoch = leaderEpoch;
        }
        last.mayBeginEpochs = mayBegin;
        if (!voter.isElectionPending()) {
            last.durableEpoch = leaderEpoch;
            checkVote(node, voter.election(), last);
        }
        if (voter.isLeader() && last.ledEpoch != leaderEpoch) {
            last.ledEpoch = leaderEpoch;
            onLeading(node, voter, leaderEpoch);
        }
    }

    private static void checkVote(SimulatedNode node, ElectionState election, Seen last) {
        if (election.votedId() == ElectionState.NOBODY) {
            return;
        }
        Integer before = last.votes.put(election.leaderEpoch(), election.votedId());
        if (before != null && before != election.votedId()) {
            throw new Violation("[INV-67] Controller " + node.id() + " votes for " + election.votedId() + " in epoch "
                    + election.leaderEpoch() + ", in which it voted for " + before);
        }
    }

    private void onLeading(SimulatedNode node, QuorumInsight leader, int leaderEpoch) throws IOException {
        elections++;
        world.trace()
                .note(
                        world.nowUs(),
                        node.id(),
                        "LEADS the quorum in epoch {1} from {2}",
                        leaderEpoch,
                        leader.endOffset());
        Integer other = leaders.put(leaderEpoch, node.id());
        if (other != null && other != node.id()) {
            throw new Violation(
                    "[INV-67] The quorum has two leaders of epoch " + leaderEpoch + ": " + other + " and " + node.id());
        }
        voters.onLeading(node, leader);
        // Who was paused may win an election that others have forgotten: he need not have what came after.
        Map.Entry<Integer, Integer> before = committedIn.lowerEntry(leaderEpoch);
        int due = before == null ? 0 : before.getValue();
        if (leader.endOffset() < due) {
            throw new Violation("[INV-67] Controller " + node.id() + " leads with the metadata up to "
                    + leader.endOffset() + ", and up to " + due + " it is committed");
        }
        leader.forEachBatch(leader.startOffset(), due, batch -> check(node, batch));
    }

    private void lookAtCommitted(SimulatedNode node, QuorumInsight replica, Seen last) throws IOException {
        long highWatermark = replica.highWatermark();
        // One that commits that it has no vote any more gives up in the same event.
        boolean isLeading = node.isController() && last.ledEpoch == replica.leaderEpoch();
        if (highWatermark < 0 && isLeading) {
            // A leader does not know it before a record of its own epoch is committed.
            return;
        }
        if (highWatermark < last.highWatermark && last.highWatermark > 0) {
            throw new Violation("[INV-67] The quorum's high watermark on node " + node.id() + " falls from "
                    + last.highWatermark + " to " + highWatermark);
        }
        if (highWatermark <= last.highWatermark) {
            return;
        }
        long from = Math.max(last.highWatermark, replica.startOffset());
        last.highWatermark = highWatermark;
        if (highWatermark > replica.endOffset()) {
            throw new Violation("[INV-67] Node " + node.id() + " has the metadata up to " + replica.endOffset()
                    + " and a high watermark of " + highWatermark);
        }
        if (highWatermark > committed.size() && !isLeading) {
            throw new Violation("[INV-67] Node " + node.id() + " takes the metadata for committed up to "
                    + highWatermark + ", and no leader did beyond " + committed.size());
        }
        replica.forEachBatch(from, highWatermark, batch -> {
            if (batch.nextOffset() <= committed.size()) {
                check(node, batch);
            } else {
                commit(batch);
                committedIn.put(replica.leaderEpoch(), committed.size());
            }
            if (isLeading
                    && batch.nextOffset() == highWatermark
                    && batch.partitionLeaderEpoch() != replica.leaderEpoch()) {
                throw new Violation("[INV-67] Controller " + node.id() + ", which leads epoch " + replica.leaderEpoch()
                        + ", takes a record of epoch " + batch.partitionLeaderEpoch() + " at " + batch.lastOffset()
                        + " for committed, and has none of its own above it");
            }
        });
        if (isLeading) {
            checkMajority(node, replica, highWatermark);
        }
    }

    private static long hash(RecordBatch batch) {
        return (batch.partitionLeaderEpoch() * 31L + batch.baseOffset()) * 4_294_967_311L + batch.crc();
    }

    private void check(SimulatedNode node, RecordBatch batch) {
        long hash = hash(batch);
        for (long offset = batch.baseOffset(); offset < batch.nextOffset(); offset++) {
            if (committed.get((int) offset) != hash) {
                throw new Violation("[INV-67] Node " + node.id() + " has other metadata at offset " + offset
                        + ", of epoch " + batch.partitionLeaderEpoch() + ", than what is committed there");
            }
        }
    }

    private void commit(RecordBatch batch) {
        if (batch.baseOffset() != committed.size()) {
            throw new Violation("[INV-67] A batch from " + batch.baseOffset() + " to " + batch.lastOffset()
                    + " is committed where the metadata ends at " + committed.size());
        }
        for (long offset = batch.baseOffset(); offset < batch.nextOffset(); offset++) {
            committed.add(hash(batch));
        }
        voters.onCommitted(batch);
        MetadataImage before = decided;
        MetadataDelta delta = new MetadataDelta(before);
        QuorumInsight.replay(batch, delta);
        decided = delta.apply();
        listener.onDecided(before, decided);
    }

    /** What is committed is really there on a majority, and no power loss takes it from there. */
    private void checkMajority(SimulatedNode leader, QuorumInsight replica, long highWatermark) {
        int without = 0;
        Set<Integer> counted = voters.voters(leader);
        int all = counted.size();
        for (int id : counted) {
            Seen voter = seen.get(id);
            if (voter == null || voter.durableEnd < highWatermark) {
                without++;
            }
        }
        if (2 * (all - without) <= all) {
            throw new Violation("[INV-67] Controller " + leader.id() + " takes the metadata up to " + highWatermark
                    + " for committed, and " + without + " of " + all + " voters do not have it on their disks; it"
                    + " leads epoch " + replica.leaderEpoch());
        }
    }

    /** What keeps a node's metadata from being the same as everybody's, or nothing. */
    String difference(SimulatedNode node) {
        QuorumInsight replica = insight(node);
        Broker broker = node.broker();
        MetadataSource source = broker == null ? null : NodeInsight.metadata(broker);
        if (replica == null || source == null) {
            return "node " + node.id() + " has no metadata";
        }
        if (replica.highWatermark() != committed.size() || replica.endOffset() != committed.size()) {
            return "node " + node.id() + " has the metadata up to " + replica.endOffset() + " and a high watermark of "
                    + replica.highWatermark() + ", and committed is up to " + committed.size();
        }
        if (!source.image().equals(decided)) {
            return "the metadata of node " + node.id() + " up to "
                    + source.image().lastOffset() + " is not what was decided";
        }
        return "";
    }

    /** At the end: the whole log of a node, byte for byte. */
    void checkWhole(SimulatedNode node) throws IOException {
        QuorumInsight replica = insight(node);
        if (replica != null) {
            replica.forEachBatch(replica.startOffset(), replica.endOffset(), batch -> {
                if (batch.crc() != batch.computeCrc()) {
                    throw new Violation("[INV-67] The metadata log of node " + node.id() + " is damaged at offset "
                            + batch.baseOffset());
                }
                check(node, batch);
            });
        }
    }
}
