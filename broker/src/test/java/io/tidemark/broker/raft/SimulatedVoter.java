package io.tidemark.broker.raft;

import io.tidemark.broker.types.Uuid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A voter with a driver as small as can be: its log is a list, of which a crash leaves what was forced, and its election
 * state takes a while to be durable. Fetches, forces and writes go over the {@link SimulatedQuorum}'s clock.
 */
final class SimulatedVoter {
    private static final long REQUEST_TIMEOUT_MS = 1_000;
    private static final long FETCH_WAIT_MS = 100;

    private final SimulatedQuorum quorum;
    private final int id;
    private final VoterSet voters;
    private final RaftSettings settings;

    /** On the disk. */
    private ElectionState durableElection = ElectionState.INITIAL;

    private List<Entry> durableLog = new ArrayList<>();

    /** Of this life. */
    private @Nullable RaftNode raft;

    private int life;
    private ListLog log = new ListLog(new ArrayList<>());
    private final Queue<ElectionState> writes = new ArrayDeque<>();
    private long timerMs = Role.NEVER;
    private long checkedTo;
    private long lastHighWatermark;
    private boolean isNewlyLeading;
    private boolean isForcing;
    private int fetchNumber;

    SimulatedVoter(SimulatedQuorum quorum, int id, VoterSet voters) {
        this.quorum = quorum;
        this.id = id;
        this.voters = voters;
        this.settings = new RaftSettings(id, new Uuid(9, id), 1_000, 1_000, 2_000, 20);
    }

    /** What is at an offset. */
    record Entry(int epoch, long value) {}

    /** A log over a list. */
    private record ListLog(List<Entry> entries) implements LogView {
        @Override
        public long startOffset() {
            return 0;
        }

        @Override
        public long endOffset() {
            return entries.size();
        }

        @Override
        public int lastEpoch() {
            return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).epoch();
        }

        @Override
        public int epochFloor(int leaderEpoch) {
            long end = endOffsetOf(leaderEpoch);
            return end == 0 ? -1 : entries.get((int) end - 1).epoch();
        }

        @Override
        public long endOffsetOf(int leaderEpoch) {
            int end = entries.size();
            while (end > 0 && entries.get(end - 1).epoch() > leaderEpoch) {
                end--;
            }
            return end;
        }
    }

    int id() {
        return id;
    }

    boolean isUp() {
        return raft != null;
    }

    void start() {
        if (raft != null) {
            return;
        }
        life++;
        log = new ListLog(new ArrayList<>(durableLog));
        writes.clear();
        isForcing = false;
        timerMs = Role.NEVER;
        checkedTo = 0;
        lastHighWatermark = 0;
        RaftNode started = new RaftNode(settings, voters, durableElection, log, quorum.random);
        raft = started;
        quorum.note("starts", id, durableElection, log.endOffset());
        perform(started.start(quorum.nowMs()));
        fetch();
    }

    /** What was not forced is gone, but for a part that happened to be written. */
    void crash() {
        raft = null;
        life++;
        int kept = durableLog.size();
        List<Entry> all = log.entries();
        if (all.size() > kept && all.subList(0, kept).equals(durableLog)) {
            durableLog = new ArrayList<>(all.subList(0, kept + quorum.random.nextInt(all.size() - kept + 1)));
        }
        if (!writes.isEmpty() && quorum.random.nextBoolean()) {
            durableElection = writes.peek();
        }
        quorum.note("crashes", id);
    }

    boolean isLeading() {
        return raft != null && raft.role() instanceof Leader;
    }

    boolean takeNewlyLeading() {
        boolean taken = isNewlyLeading;
        isNewlyLeading = false;
        return taken;
    }

    int leaderEpoch() {
        return node().role().leaderEpoch();
    }

    long highWatermark() {
        return raft == null ? 0 : Math.max(0, raft.highWatermark());
    }

    long endOffset() {
        return log.endOffset();
    }

    Entry entry(int offset) {
        return log.entries().get(offset);
    }

    /** From where committed entries have not been compared yet. */
    long takeCheckedFrom() {
        long from = checkedTo;
        checkedTo = Math.max(checkedTo, highWatermark());
        SimulatedQuorum.check(highWatermark() <= log.endOffset(), id + " has its high watermark above its log");
        long known = highWatermark();
        boolean isLeaderThatDoesNotKnowYet = isLeading() && node().highWatermark() < 0;
        SimulatedQuorum.check(
                isLeaderThatDoesNotKnowYet || known >= lastHighWatermark,
                id + "'s high watermark went back from " + lastHighWatermark + " to " + known);
        lastHighWatermark = Math.max(lastHighWatermark, known);
        return from;
    }

    private RaftNode node() {
        if (raft == null) {
            throw new IllegalStateException(id + " is down");
        }
        return raft;
    }

    /** Runs later, in this life only. */
    private void later(long delayMs, Runnable work) {
        int scheduledIn = life;
        quorum.at(delayMs, () -> {
            if (raft != null && scheduledIn == life) {
                work.run();
            }
        });
    }

    void append(long value) {
        log.entries().add(new Entry(leaderEpoch(), value));
        force();
    }

    private void force() {
        if (isForcing) {
            return;
        }
        isForcing = true;
        List<Entry> written = new ArrayList<>(log.entries());
        later(quorum.random.nextLong(10), () -> {
            isForcing = false;
            // A cut may have come in between; what is left of both is durable.
            int same = 0;
            while (same < Math.min(written.size(), log.endOffset())
                    && written.get(same).equals(entry(same))) {
                same++;
            }
            durableLog = new ArrayList<>(written.subList(0, same));
            perform(node().onLogDurable(same));
            if (same < log.endOffset()) {
                force();
            }
        });
    }

    private void perform(List<RaftEffect> effects) {
        for (RaftEffect effect : effects) {
            if (effect instanceof RaftEffect.PersistElection persist) {
                persist(persist.state());
            } else if (effect instanceof RaftEffect.BeginEpoch begin) {
                isNewlyLeading = true;
                append(-begin.leader().leaderEpoch());
            } else if (effect instanceof RaftEffect.Truncate cut) {
                SimulatedQuorum.check(
                        cut.endOffset() >= highWatermark(), id + " cuts what is committed, at " + cut.endOffset());
                log.entries()
                        .subList((int) cut.endOffset(), log.entries().size())
                        .clear();
                durableLog = new ArrayList<>(durableLog.subList(0, (int) Math.min(durableLog.size(), cut.endOffset())));
            } else if (effect instanceof RaftEffect.Send send) {
                ask(send.to().nodeId(), send.request());
            } else if (effect instanceof RaftEffect.Answer answer) {
                answering.get((int) answer.requestId()).answer(answer.reply());
            } else if (effect instanceof RaftEffect.LeaderChanged) {
                fetch();
            }
        }
        schedule();
    }

    private void persist(ElectionState state) {
        writes.add(state);
        if (writes.size() == 1) {
            write();
        }
    }

    private void write() {
        later(quorum.random.nextLong(20), () -> {
            ElectionState state = writes.remove();
            durableElection = state;
            if (!writes.isEmpty()) {
                write();
            }
            perform(node().onElectionDurable(state));
        });
    }

    private void schedule() {
        long deadlineMs = node().deadlineMs();
        if (deadlineMs != Role.NEVER && deadlineMs != timerMs) {
            timerMs = deadlineMs;
            later(deadlineMs - quorum.nowMs(), () -> {
                if (timerMs == deadlineMs) {
                    timerMs = Role.NEVER;
                    perform(node().onTime(quorum.nowMs()));
                }
            });
        }
    }

    private void ask(int to, RaftRequest request) {
        boolean[] isSettled = new boolean[1];
        int askedIn = life;
        later(REQUEST_TIMEOUT_MS, () -> {
            if (!isSettled[0]) {
                isSettled[0] = true;
                perform(node().onNoReply(to, request, quorum.nowMs()));
            }
        });
        quorum.send(id, to, request, () -> quorum.voter(to)
                .serve(
                        request,
                        reply -> quorum.send(to, id, reply, () -> {
                            if (!isSettled[0] && raft != null && askedIn == life) {
                                isSettled[0] = true;
                                perform(node().onReply(to, request, reply, quorum.nowMs()));
                            }
                        })));
    }

    /** Takes an answer. */
    private interface Answering {
        void answer(RaftReply reply);
    }

    private final List<Answering> answering = new ArrayList<>();

    private void serve(RaftRequest request, Answering respond) {
        if (raft == null) {
            return;
        }
        int servedIn = life;
        answering.add(reply -> {
            if (servedIn == life) {
                respond.answer(reply);
            }
        });
        perform(node().onRequest(answering.size() - 1L, request, quorum.nowMs()));
    }

    /** One fetch is under way at a time; a new one takes the place of one that nobody answered. */
    private void fetch() {
        int number = ++fetchNumber;
        later(REQUEST_TIMEOUT_MS + FETCH_WAIT_MS, () -> {
            if (number == fetchNumber) {
                fetch();
            }
        });
        if (raft == null || isLeading()) {
            return;
        }
        if (raft.isElectionPending() || isForcing) {
            later(5, () -> {
                if (number == fetchNumber) {
                    fetch();
                }
            });
            return;
        }
        int leaderId = raft.leaderId();
        int target = leaderId != ElectionState.NOBODY ? leaderId : 1 + quorum.random.nextInt(voters.size());
        if (target == id) {
            return;
        }
        int epoch = leaderEpoch();
        long end = log.endOffset();
        int lastEpoch = log.lastEpoch();
        int askedIn = life;
        quorum.send(id, target, "fetch", () -> quorum.voter(target)
                .serveFetch(
                        settings.self(),
                        epoch,
                        end,
                        lastEpoch,
                        true,
                        reply -> quorum.send(target, id, reply, () -> {
                            if (raft != null && askedIn == life && number == fetchNumber) {
                                onFetched(target, epoch, reply);
                            }
                        })));
    }

    /** The answer to a fetch. */
    private record FetchReply(
            FetchOutcome outcome, int leaderId, int leaderEpoch, List<Entry> entries, long highWatermark) {}

    private interface FetchAnswering {
        void answer(FetchReply reply);
    }

    private void serveFetch(
            ReplicaKey replica, int epoch, long offset, int lastEpoch, boolean mayWait, FetchAnswering respond) {
        if (raft == null) {
            return;
        }
        FetchOutcome outcome = raft.onFetch(replica, epoch, offset, lastEpoch, quorum.nowMs());
        List<Entry> entries = List.of();
        if (outcome instanceof FetchOutcome.Accepted) {
            perform(raft.onReplicaAt(replica, offset, quorum.nowMs()));
            entries = List.copyOf(log.entries().subList((int) offset, (int) log.endOffset()));
            if (entries.isEmpty() && mayWait) {
                later(FETCH_WAIT_MS, () -> serveFetch(replica, epoch, offset, lastEpoch, false, respond));
                return;
            }
        }
        respond.answer(new FetchReply(outcome, raft.leaderId(), leaderEpoch(), entries, raft.highWatermark()));
    }

    private void onFetched(int from, int askedEpoch, FetchReply reply) {
        perform(node().onLeaderHeardOf(
                        reply.leaderEpoch(), reply.leaderId(), reply.leaderId() == from, quorum.nowMs()));
        boolean isOfLeader = node().role() instanceof Follower follower
                && follower.leaderId() == from
                && follower.leaderEpoch() == askedEpoch
                && reply.leaderEpoch() == askedEpoch;
        if (isOfLeader && reply.outcome() instanceof FetchOutcome.Diverging diverging) {
            perform(node().onDiverging(diverging.leaderEpoch(), diverging.endOffset(), quorum.nowMs()));
        } else if (isOfLeader && reply.outcome() instanceof FetchOutcome.Accepted) {
            log.entries().addAll(reply.entries());
            if (!reply.entries().isEmpty()) {
                force();
            }
            perform(node().onFetched(reply.highWatermark(), quorum.nowMs()));
        }
        boolean isServed = !(reply.outcome() instanceof FetchOutcome.Refused);
        int number = ++fetchNumber;
        later(isServed ? 0 : 20, () -> {
            if (number == fetchNumber) {
                fetch();
            }
        });
    }

    @Override
    public String toString() {
        return id
                + (raft == null
                        ? " is down"
                        : " " + raft.role().getClass().getSimpleName() + " in " + leaderEpoch() + ", log end "
                                + log.endOffset() + ", high watermark " + raft.highWatermark());
    }
}
