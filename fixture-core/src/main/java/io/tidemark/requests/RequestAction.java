package io.tidemark.requests;

/** What a fault does to a request that it strikes. On the loop of the node that was sent it. */
interface RequestAction {
    /** Whether it can be done to this one at all; what it cannot be done to is not struck. */
    default boolean canStrike(Passage passage) {
        return true;
    }

    /** Before it is handled. True where it has taken the request over, and the passage goes on later or not at all. */
    default boolean before(Passage passage, RequestFault fault) {
        return false;
    }

    /** After it was handled, as {@link #before}. */
    default boolean after(Passage passage, RequestFault fault) {
        return false;
    }

    /** When it does what it does, which is when the strike counts. */
    default Stage stage() {
        return Stage.BEFORE;
    }

    /** When a strike counts. */
    enum Stage {
        /** As the request comes. */
        BEFORE,
        /** As it is answered. */
        AFTER,
        /** As the action itself says by {@link RequestFault#tell}: what waits counts when it waits. */
        OWN
    }

    /** Whether it finds out from the answer itself whether that is meant. */
    default boolean readsAnswer() {
        return false;
    }

    /** Whether an answer that was on its way when the fault was declared is struck too. */
    default boolean isOfLink() {
        return false;
    }
}
