package io.tidemark.broker.group;

import java.util.EnumSet;
import java.util.Set;

/** The states of a classic group, by the names that Kafka shows, and which may follow which. */
public enum GroupStateName {
    EMPTY("Empty"),
    PREPARING_REBALANCE("PreparingRebalance"),
    COMPLETING_REBALANCE("CompletingRebalance"),
    STABLE("Stable"),
    DEAD("Dead");

    private final String text;

    GroupStateName(String text) {
        this.text = text;
    }

    /** True if a group in this state may go over to the other. */
    boolean mayBecome(GroupStateName next) {
        return successors().contains(next);
    }

    private Set<GroupStateName> successors() {
        return switch (this) {
            case EMPTY -> EnumSet.of(PREPARING_REBALANCE, DEAD);
            case PREPARING_REBALANCE -> EnumSet.of(COMPLETING_REBALANCE, EMPTY, DEAD);
            case COMPLETING_REBALANCE -> EnumSet.of(STABLE, PREPARING_REBALANCE, DEAD);
            case STABLE -> EnumSet.of(PREPARING_REBALANCE, DEAD);
            case DEAD -> EnumSet.noneOf(GroupStateName.class);
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
