package io.tidemark.broker.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * When each broker was last heard of. Not replicated: a new leader of the quorum gives every broker a whole session.
 * Times are of the monotonic clock.
 */
final class BrokerSessions {
    private static final long NONE = -1;

    private final long timeoutMs;
    private final SortedMap<Integer, Session> sessions = new TreeMap<>();

    BrokerSessions(long timeoutMs) {
        this.timeoutMs = timeoutMs;
    }

    private static final class Session {
        private final long brokerEpoch;
        private long lastContactMs;
        private long metadataOffset = NONE;
        private long shutdownOffset = NONE;
        private long stalledMs = NONE;

        Session(long brokerEpoch, long nowMs) {
            this.brokerEpoch = brokerEpoch;
            this.lastContactMs = nowMs;
        }

        /** How long the broker stood still since the last call; 0 the first time, and where it is in another life. */
        private long newStall(long sumMs) {
            long newMs = stalledMs == NONE ? 0 : Math.max(0, sumMs - stalledMs);
            stalledMs = sumMs;
            return newMs;
        }
    }

    /** A new leader of the quorum knows nothing of before. */
    void clear() {
        sessions.clear();
    }

    void touch(int brokerId, long brokerEpoch, long nowMs) {
        Session session = session(brokerId, brokerEpoch);
        if (session == null) {
            sessions.put(brokerId, new Session(brokerEpoch, nowMs));
        } else {
            session.lastContactMs = Math.max(session.lastContactMs, nowMs);
        }
    }

    void remove(int brokerId) {
        sessions.remove(brokerId);
    }

    boolean isValid(int brokerId, long brokerEpoch, long nowMs) {
        Session session = session(brokerId, brokerEpoch);
        return session != null && nowMs < session.lastContactMs + timeoutMs;
    }

    /** The brokers whose session ran out. */
    List<Integer> expired(long nowMs) {
        List<Integer> expired = new ArrayList<>();
        sessions.forEach((brokerId, session) -> {
            if (nowMs >= session.lastContactMs + timeoutMs) {
                expired.add(brokerId);
            }
        });
        return expired;
    }

    /**
     * A broker's silence does not count for as long as it, or the controller, stood still since the last call: the longer
     * of the two, for they may have stood still together. Who was heard of meanwhile is not heard of from the future.
     *
     * @param stalledMs how long each broker stood still in sum
     */
    void onStalls(long controllerMs, IntToLongFunction stalledMs, long nowMs) {
        sessions.forEach((brokerId, session) -> {
            long forgivenMs = Math.max(controllerMs, session.newStall(stalledMs.applyAsLong(brokerId)));
            session.lastContactMs = Math.min(session.lastContactMs + forgivenMs, nowMs);
        });
    }

    /** The broker has applied the metadata up to an offset, inclusive. */
    void applied(int brokerId, long brokerEpoch, long metadataOffset) {
        Session session = session(brokerId, brokerEpoch);
        if (session != null) {
            session.metadataOffset = Math.max(session.metadataOffset, metadataOffset);
        }
    }

    long appliedOffset(int brokerId, long brokerEpoch) {
        Session session = session(brokerId, brokerEpoch);
        return session == null ? NONE : session.metadataOffset;
    }

    /** The broker may go once all others have applied the metadata up to here, which moves its leaderships away. */
    void shuttingDown(int brokerId, long brokerEpoch, long offset) {
        Session session = session(brokerId, brokerEpoch);
        if (session != null) {
            session.shutdownOffset = offset;
        }
    }

    long shutdownOffset(int brokerId, long brokerEpoch) {
        Session session = session(brokerId, brokerEpoch);
        return session == null ? NONE : session.shutdownOffset;
    }

    private @Nullable Session session(int brokerId, long brokerEpoch) {
        Session session = sessions.get(brokerId);
        return session == null || session.brokerEpoch != brokerEpoch ? null : session;
    }
}
