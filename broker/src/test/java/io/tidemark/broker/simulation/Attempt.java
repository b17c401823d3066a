package io.tidemark.broker.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One transaction as its client knows it, and what its log has made of it. */
final class Attempt {
    final TransactionalId id;
    final int number;
    final long producerId;
    final short producerEpoch;

    /** The values that were acknowledged, by partition. */
    final Map<Integer, List<String>> acknowledged = new TreeMap<>();

    /** It has the group's offsets in it, which then stand at its number. */
    boolean hasOffsets;

    Fate fate = Fate.OPEN;

    /** What the first marker that was committed says; null before it. */
    @Nullable
    Boolean isCommittedByMarker;

    private int nextValue;

    /** How far it is, as its client was told. */
    enum Fate {
        /** Nobody has asked to commit it, so it never may be. */
        OPEN,
        COMMIT_ASKED,
        COMMITTED,
        ABORTED
    }

    Attempt(TransactionalId id, int number, long producerId, short producerEpoch) {
        this.id = id;
        this.number = number;
        this.producerId = producerId;
        this.producerEpoch = producerEpoch;
    }

    String name() {
        return "t" + id.number() + "." + number;
    }

    List<String> newValues(int count) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(name() + "-" + nextValue++);
        }
        return values;
    }

    /** The name of the transaction that a value was written in; null where it was written in none. */
    static @Nullable String nameOf(String value) {
        return value.startsWith("t") ? value.substring(0, value.indexOf('-')) : null;
    }

    /** Whether it counts, as far as anybody can know. */
    boolean isCommitted() {
        return fate == Fate.COMMITTED || Boolean.TRUE.equals(isCommittedByMarker);
    }

    @Override
    public String toString() {
        return "transaction " + name() + " (producer id " + producerId + ", epoch " + producerEpoch + ", " + fate
                + (isCommittedByMarker == null ? "" : isCommittedByMarker ? ", committed" : ", aborted") + ")";
    }
}
