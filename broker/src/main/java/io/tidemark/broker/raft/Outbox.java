package io.tidemark.broker.raft;

import java.util.ArrayList;
import java.util.List;

/**
 * Holds back what others hear for as long as the vote and the epoch it rests on are not durable: a node that forgot them
 * could vote twice. What the node does to itself goes at once.
 */
final class Outbox {
    private final List<RaftEffect> ready = new ArrayList<>();
    private final List<RaftEffect> held = new ArrayList<>();
    private int writesUnderWay;

    void persist(ElectionState state) {
        writesUnderWay++;
        ready.add(new RaftEffect.PersistElection(state));
    }

    void persisted() {
        if (writesUnderWay > 0) {
            writesUnderWay--;
        }
        if (writesUnderWay == 0) {
            ready.addAll(held);
            held.clear();
        }
    }

    boolean isHolding() {
        return writesUnderWay > 0;
    }

    void toOthers(RaftEffect effect) {
        (writesUnderWay > 0 ? held : ready).add(effect);
    }

    void toSelf(RaftEffect effect) {
        ready.add(effect);
    }

    List<RaftEffect> drain() {
        List<RaftEffect> drained = List.copyOf(ready);
        ready.clear();
        return drained;
    }
}
