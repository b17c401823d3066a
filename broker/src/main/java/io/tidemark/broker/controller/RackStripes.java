package io.tidemark.broker.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The racks of one placement, gone through round robin: each partition starts a rack further, and takes from each rack
 * the broker after the one that it took last.
 *
 * <p>Example, racks A, B, C of three brokers each: A0 B0 C0, then B1 C1 A1, then C2 A2 B2. Once as many partitions are
 * placed as there are live brokers, all orders are shuffled, so that the same sets do not come again and again.
 */
final class RackStripes {
    /** Sorts before every name. */
    private static final String NO_RACK = "";

    private final RandomGenerator random;
    private final SortedMap<String, Rack> racks = new TreeMap<>();
    private final List<Rack> order = new ArrayList<>();
    private int live;
    private int fenced;
    private int firstRack;
    private int round;

    RackStripes(RandomGenerator random) {
        this.random = random;
    }

    void add(int brokerId, @Nullable String rack, boolean isFenced) {
        Rack home = racks.computeIfAbsent(rack == null ? NO_RACK : rack, name -> new Rack());
        if (isFenced) {
            home.fenced.brokers.add(brokerId);
            fenced++;
        } else {
            home.live.brokers.add(brokerId);
            live++;
        }
    }

    int size() {
        return live + fenced;
    }

    int liveSize() {
        return live;
    }

    /** To be called once, with at least one live broker, and no more replicas than brokers. */
    List<List<Integer>> place(int partitions, int replicationFactor) {
        for (Rack rack : racks.values()) {
            rack.fenced.start(random);
            rack.live.start(random);
            order.add(rack);
        }
        firstRack = random.nextInt(order.size());
        List<List<Integer>> placed = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            placed.add(next(replicationFactor));
        }
        return placed;
    }

    private List<Integer> next(int replicationFactor) {
        if (round == live && live > 1) {
            shuffle(order, random);
            racks.values().forEach(rack -> rack.shuffle(random));
            round = 0;
        }
        firstRack %= order.size();
        List<Integer> replicas = new ArrayList<>();
        int leaderRack = firstRack;
        int leader = order.get(leaderRack).live.next(round);
        while (leader == Ring.NOBODY) {
            leaderRack = (leaderRack + 1) % order.size();
            leader = order.get(leaderRack).live.next(round);
        }
        replicas.add(leader);
        boolean isLeaderRackPassed = false;
        int rack = firstRack;
        while (replicas.size() < replicationFactor) {
            int broker = Ring.NOBODY;
            if (rack == leaderRack && !isLeaderRackPassed) {
                isLeaderRackPassed = true;
            } else {
                broker = order.get(rack).next(round);
            }
            if (broker != Ring.NOBODY) {
                replicas.add(broker);
            }
            rack = (rack + 1) % order.size();
        }
        round++;
        firstRack++;
        return replicas;
    }

    private static <T> void shuffle(List<T> list, RandomGenerator random) {
        for (int i = list.size(); i > 1; i--) {
            int other = random.nextInt(i);
            T last = list.get(i - 1);
            list.set(i - 1, list.get(other));
            list.set(other, last);
        }
    }

    private static final class Rack {
        private final Ring live = new Ring();
        private final Ring fenced = new Ring();

        int next(int round) {
            int broker = live.next(round);
            return broker == Ring.NOBODY ? fenced.next(round) : broker;
        }

        void shuffle(RandomGenerator random) {
            RackStripes.shuffle(fenced.brokers, random);
            RackStripes.shuffle(live.brokers, random);
        }
    }

    /** Brokers that are each taken once in a round, which starts one further than the round before. */
    private static final class Ring {
        private static final int NOBODY = -1;

        private final List<Integer> brokers = new ArrayList<>();
        private int start;
        private int taken;
        private int round;

        void start(RandomGenerator random) {
            if (!brokers.isEmpty()) {
                start = random.nextInt(brokers.size());
            }
        }

        int next(int currentRound) {
            if (brokers.isEmpty()) {
                return NOBODY;
            }
            if (round != currentRound) {
                round = currentRound;
                taken = 0;
                start = (start + 1) % brokers.size();
            }
            return taken == brokers.size() ? NOBODY : brokers.get((start + taken++) % brokers.size());
        }
    }
}
