package io.tidemark.broker.coordinator.runtime;

import io.tidemark.broker.coordinator.Answer;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.coordinator.CoordinatorShard;
import io.tidemark.broker.protocol.group.GroupMetadataKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The smallest shard there is: it remembers words, and who asked for the next one. */
final class NotesShard implements CoordinatorShard {
    final List<String> notes = new ArrayList<>();
    long committedOffset;
    boolean loaded;
    long deadlineMs = NEVER;
    boolean failsToReplay;
    private final List<Answer<?>> waiting = new ArrayList<>();

    private final Map<Long, List<CoordinatorRecord>> pending = new TreeMap<>();

    static CoordinatorRecord record(String word) {
        return new CoordinatorRecord(new GroupMetadataKey().setGroup(word), null, (short) 0);
    }

    CoordinatorResult<Integer> note(String... words) {
        List<CoordinatorRecord> records = new ArrayList<>();
        for (String word : words) {
            records.add(record(word));
        }
        return new CoordinatorResult<>(records, notes.size() + words.length);
    }

    void await(Answer.Ticket<String> ticket) {
        waiting.add(new Answer<>(ticket, "gone", Object::toString));
    }

    @Override
    public void replay(long offset, CoordinatorRecord record) {
        if (failsToReplay) {
            throw new IllegalStateException("as the test wished");
        }
        notes.add(((GroupMetadataKey) record.key()).group() + "@" + offset);
    }

    @Override
    public void replayInTransaction(long offset, long producerId, CoordinatorRecord record) {
        pending.computeIfAbsent(producerId, id -> new ArrayList<>()).add(record);
    }

    @Override
    public void endTransaction(long offset, long producerId, boolean commit) {
        List<CoordinatorRecord> ended = pending.remove(producerId);
        if (ended != null && commit) {
            ended.forEach(record -> replay(offset, record));
        }
    }

    @Override
    public void onCommitted(long endOffset) {
        committedOffset = endOffset;
    }

    @Override
    public void onLoaded(long nowMs) {
        loaded = true;
    }

    @Override
    public List<Answer<?>> onUnloaded() {
        return waiting;
    }

    @Override
    public long nextDeadlineMs() {
        return deadlineMs;
    }

    @Override
    public CoordinatorResult<List<Answer<?>>> onDeadline(long nowMs) {
        deadlineMs = NEVER;
        return new CoordinatorResult<>(List.of(record("late")), List.of());
    }
}
