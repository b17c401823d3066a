package io.tidemark.broker.fetch;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The sessions of a broker, up to a number of slots ({@code max.incremental.fetch.session.cache.slots}). */
public final class FetchSessions {
    /** How long a session is safe from one that is worth more, and how long an unused one is safe at all. */
    static final long EVICTION_MS = 120_000;

    private static final short FIRST_VERSION_WITH_TOPIC_IDS = 13;

    private final int maxSlots;
    private final RandomGenerator random;
    private final Map<Integer, FetchSession> sessions = new HashMap<>();

    public FetchSessions(int maxSlots, RandomGenerator random) {
        this.maxSlots = maxSlots;
        this.random = random;
    }

    /**
     * Reads a request in the light of its session.
     *
     * @param isFollower a follower's session is worth more than a consumer's
     */
    public FetchContext open(FetchRequest request, short version, boolean isFollower, TopicNames names, long nowMs) {
        boolean usesTopicIds = version >= FIRST_VERSION_WITH_TOPIC_IDS;
        int sessionEpoch = request.sessionEpoch();
        if (sessionEpoch == FetchSession.OPENING_EPOCH || sessionEpoch == FetchSession.CLOSING_EPOCH) {
            sessions.remove(request.sessionId());
            List<FetchItem> items = distinct(FetchItems.of(request, usesTopicIds, names));
            return sessionEpoch == FetchSession.CLOSING_EPOCH
                    ? new Sessionless(items)
                    : new Opening(items, isFollower, usesTopicIds);
        }
        FetchSession session = sessions.get(request.sessionId());
        if (session == null) {
            return new Refused(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        }
        if (session.epoch() != sessionEpoch) {
            return new Refused(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
        }
        if (session.usesTopicIds() != usesTopicIds) {
            return new Refused(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR);
        }
        FetchItems.of(request, usesTopicIds, names).forEach(session::put);
        FetchItems.forgotten(request, usesTopicIds).forEach(session::forget);
        session.resolve(names);
        if (session.isEmpty()) {
            sessions.remove(session.id());
            return new Sessionless(List.of());
        }
        session.advance(nowMs);
        return new Incremental(session);
    }

    /** How many sessions there are. */
    public int size() {
        return sessions.size();
    }

    private static List<FetchItem> distinct(List<FetchItem> items) {
        Map<FetchItem.Key, FetchItem> byKey = new LinkedHashMap<>();
        for (FetchItem item : items) {
            byKey.put(item.key(), item);
        }
        return List.copyOf(byKey.values());
    }

    private @Nullable FetchSession create(boolean isFollower, boolean usesTopicIds, int size, long nowMs) {
        if (size == 0 || (sessions.size() >= maxSlots && !evictFor(isFollower, size, nowMs))) {
            return null;
        }
        int id;
        do {
            id = random.nextInt(1, Integer.MAX_VALUE);
        } while (sessions.containsKey(id));
        FetchSession session = new FetchSession(id, isFollower, usesTopicIds, nowMs);
        sessions.put(id, session);
        return session;
    }

    /**
     * Makes room by ending the session that was unused longest, if that is long enough; else the one that is worth
     * least (a consumer's before a follower's, a smaller before a larger), if the new one is worth more. A session is
     * safe from its own kind until it is used when it is some time old; a consumer's never is from a follower's.
     */
    private boolean evictFor(boolean isFollower, int size, long nowMs) {
        FetchSession stalest = null;
        FetchSession least = null;
        for (FetchSession session : sessions.values()) {
            if (stalest == null || isBefore(session.lastUsedMs(), session, stalest.lastUsedMs(), stalest)) {
                stalest = session;
            }
            // As of its last use: Kafka looks at a session's age when it is used.
            boolean isOld = session.lastUsedMs() - session.createdMs() > EVICTION_MS;
            boolean isEvictable = isOld || (isFollower && !session.isFollower());
            if (isEvictable && (least == null || isWorthLess(session, least))) {
                least = session;
            }
        }
        if (stalest != null && nowMs - stalest.lastUsedMs() > EVICTION_MS) {
            sessions.remove(stalest.id());
            return true;
        }
        if (least == null) {
            return false;
        }
        boolean isNewWorthMore = isFollower != least.isFollower() ? isFollower : size > least.size();
        if (isNewWorthMore) {
            sessions.remove(least.id());
        }
        return isNewWorthMore;
    }

    private static boolean isBefore(long timeMs, FetchSession session, long otherTimeMs, FetchSession other) {
        return timeMs != otherTimeMs ? timeMs < otherTimeMs : session.id() < other.id();
    }

    private static boolean isWorthLess(FetchSession session, FetchSession other) {
        if (session.isFollower() != other.isFollower()) {
            return other.isFollower();
        }
        return session.size() != other.size() ? session.size() < other.size() : session.id() < other.id();
    }

    /** Nothing is kept. */
    private record Sessionless(List<FetchItem> items) implements FetchContext {
        @Override
        public FetchResponse respond(List<FetchedPartition> fetched, long nowMs) {
            return FetchResponses.of(ErrorCode.NONE, FetchSession.NO_SESSION, fetched);
        }
    }

    /** The reader may start again with a full request. */
    private record Refused(ErrorCode error) implements FetchContext {
        @Override
        public List<FetchItem> items() {
            return List.of();
        }

        @Override
        public FetchResponse respond(List<FetchedPartition> fetched, long nowMs) {
            return FetchResponses.of(error, FetchSession.NO_SESSION, List.of());
        }
    }

    /** A full request that opens a session, where there is room for one. */
    private final class Opening implements FetchContext {
        private final List<FetchItem> items;
        private final boolean isFollower;
        private final boolean usesTopicIds;

        private Opening(List<FetchItem> items, boolean isFollower, boolean usesTopicIds) {
            this.items = items;
            this.isFollower = isFollower;
            this.usesTopicIds = usesTopicIds;
        }

        @Override
        public List<FetchItem> items() {
            return items;
        }

        @Override
        public FetchResponse respond(List<FetchedPartition> fetched, long nowMs) {
            FetchSession session = create(isFollower, usesTopicIds, items.size(), nowMs);
            if (session == null) {
                return FetchResponses.of(ErrorCode.NONE, FetchSession.NO_SESSION, fetched);
            }
            for (FetchedPartition partition : fetched) {
                session.put(partition.item());
                SessionPartition added = session.partition(partition.item());
                if (added != null) {
                    added.isNews(partition.data());
                }
            }
            return FetchResponses.of(ErrorCode.NONE, session.id(), fetched);
        }
    }

    /** A request that goes on with a session. */
    private static final class Incremental implements FetchContext {
        private final FetchSession session;
        private final int epochAfter;
        private final List<FetchItem> items;

        private Incremental(FetchSession session) {
            this.session = session;
            this.epochAfter = session.epoch();
            this.items = session.items();
        }

        @Override
        public List<FetchItem> items() {
            return items;
        }

        @Override
        public FetchResponse respond(List<FetchedPartition> fetched, long nowMs) {
            if (session.epoch() != epochAfter) {
                // A later request has overtaken this one: what it was told is no longer known for sure.
                return FetchResponses.of(ErrorCode.INVALID_FETCH_SESSION_EPOCH, session.id(), List.of());
            }
            List<FetchedPartition> news = new ArrayList<>();
            for (FetchedPartition partition : fetched) {
                SessionPartition known = session.partition(partition.item());
                if (known == null || known.isNews(partition.data())) {
                    news.add(partition);
                }
                if (SessionPartition.hasRecords(partition.data())) {
                    session.moveToEnd(partition.item());
                }
            }
            return FetchResponses.of(ErrorCode.NONE, session.id(), news);
        }
    }
}
