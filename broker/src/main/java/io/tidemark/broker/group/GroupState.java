package io.tidemark.broker.group;

import org.jspecify.annotations.Nullable;

/** The state of a classic group, with what belongs to that state alone. */
sealed interface GroupState {
    GroupStateName name();

    /** No members; perhaps offsets. */
    record Empty() implements GroupState {
        @Override
        public GroupStateName name() {
            return GroupStateName.EMPTY;
        }
    }

    /**
     * Members are asked to join again.
     *
     * @param firstRound set while the round began in an empty group, which waits a while for more members
     */
    record PreparingRebalance(@Nullable FirstRound firstRound) implements GroupState {
        @Override
        public GroupStateName name() {
            return GroupStateName.PREPARING_REBALANCE;
        }
    }

    /** All have joined; the leader's assignment is awaited. */
    record CompletingRebalance() implements GroupState {
        @Override
        public GroupStateName name() {
            return GroupStateName.COMPLETING_REBALANCE;
        }
    }

    /** Every member has, or can have, its assignment. */
    record Stable() implements GroupState {
        @Override
        public GroupStateName name() {
            return GroupStateName.STABLE;
        }
    }

    /** Gone; nothing follows. */
    record Dead() implements GroupState {
        @Override
        public GroupStateName name() {
            return GroupStateName.DEAD;
        }
    }

    /**
     * The wait of a first round (KIP-134): it is prolonged by the delay for as long as members keep coming, up to the
     * rebalance timeout.
     *
     * @param delayMs the length of the part that is running
     * @param remainingMs what may still be added
     * @param memberCame a member came during the part that is running
     */
    record FirstRound(long delayMs, long remainingMs, boolean memberCame) {
        FirstRound withMember() {
            return new FirstRound(delayMs, remainingMs, true);
        }

        /** The next part, or null where the wait is over. */
        @Nullable
        FirstRound next(long initialDelayMs) {
            if (!memberCame || remainingMs == 0) {
                return null;
            }
            return new FirstRound(Math.min(initialDelayMs, remainingMs), Math.max(remainingMs - delayMs, 0), false);
        }
    }
}
