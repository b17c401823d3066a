package io.tidemark.broker.transaction;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a transactional id stands.
 *
 * <pre>
 *   Empty ----> Ongoing ----> PrepareCommit ----> CompleteCommit
 *     ^            |                                   |
 *     |            +--------> PrepareAbort  ----> CompleteAbort
 *     |                            ^                   |
 *     |   (version 2 aborts what was never begun)      |
 *     +-- InitProducerId ------------------------------+--> Ongoing again
 * </pre>
 *
 * <p>The ids are those of the log. Two of Kafka's states are in no record: <i>Dead</i>, which is a tombstone, and
 * <i>PrepareEpochFence</i>, the moment in which a coordinator fences a producer to abort its transaction; here the fence
 * and the abort are one decision.
 */
public enum TransactionState {
    EMPTY(0, "Empty"),
    ONGOING(1, "Ongoing"),
    PREPARE_COMMIT(2, "PrepareCommit"),
    PREPARE_ABORT(3, "PrepareAbort"),
    COMPLETE_COMMIT(4, "CompleteCommit"),
    COMPLETE_ABORT(5, "CompleteAbort"),
    DEAD(6, "Dead"),
    PREPARE_EPOCH_FENCE(7, "PrepareEpochFence");

    private final byte id;
    private final String wireName;

    TransactionState(int id, String wireName) {
        this.id = (byte) id;
        this.wireName = wireName;
    }

    public byte id() {
        return id;
    }

    /** As Describe and List tell it. */
    public String wireName() {
        return wireName;
    }

    /** The markers are being written: no request gets through, and a new coordinator goes on with them. */
    public boolean isPrepared() {
        return this == PREPARE_COMMIT || this == PREPARE_ABORT;
    }

    /** Nothing is open: the id may be initialized, begin anew or expire. */
    public boolean isIdle() {
        return this == EMPTY || this == COMPLETE_COMMIT || this == COMPLETE_ABORT;
    }

    /** The states that this one may follow. */
    Set<TransactionState> legalBefore() {
        return switch (this) {
            case EMPTY, DEAD -> EnumSet.of(EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT);
            case ONGOING -> EnumSet.of(EMPTY, ONGOING, COMPLETE_COMMIT, COMPLETE_ABORT);
            case PREPARE_COMMIT, PREPARE_EPOCH_FENCE -> EnumSet.of(ONGOING);
            case PREPARE_ABORT -> EnumSet.of(ONGOING, PREPARE_EPOCH_FENCE, EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT);
            case COMPLETE_COMMIT -> EnumSet.of(PREPARE_COMMIT);
            case COMPLETE_ABORT -> EnumSet.of(PREPARE_ABORT);
        };
    }

    /** @throws IllegalArgumentException if no state has the id */
    public static TransactionState ofId(byte id) {
        for (TransactionState state : values()) {
            if (state.id == id) {
                return state;
            }
        }
        throw new IllegalArgumentException("No transaction state has id [" + id + "]; expected 0 to 7");
    }

    static @Nullable TransactionState ofName(String wireName) {
        for (TransactionState state : values()) {
            if (state.wireName.equals(wireName)) {
                return state;
            }
        }
        return null;
    }
}
