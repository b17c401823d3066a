package io.tidemark.broker.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one network: which machine can reach which, in each direction, how long that takes, and how often a link breaks.
 * A link is a stream: what is sent in one direction arrives in order or not at all, and what cannot pass now passes
 * when it can, unless the link was given up by then.
 */
final class Wires {
    private final World world;
    private final WireTap tap = new WireTap();
    private final Map<Integer, Machine> machines = new HashMap<>();
    private final Map<String, SimulatedNetwork.Binding> bindings = new HashMap<>();
    private final Set<Long> blocked = new HashSet<>();
    private final Map<Long, Long> baseLatencyUs = new HashMap<>();
    private final Map<Long, Long> slowUs = new HashMap<>();
    private List<Pipe> stuck = new ArrayList<>();
    private double breakRate;
    private double delayRate;
    private long delayUs;

    Wires(World world) {
        this.world = world;
    }

    static String hostOf(int machine) {
        return "n" + machine;
    }

    WireTap tap() {
        return tap;
    }

    void add(Machine machine) {
        machines.put(machine.id(), machine);
    }

    /** The machine of a name that {@link #hostOf} made. */
    Machine machine(String host) {
        Machine machine = machines.get(Integer.parseInt(host.substring(1)));
        if (machine == null) {
            throw new IllegalArgumentException("There is no machine [" + host + "]");
        }
        return machine;
    }

    void bind(String address, SimulatedNetwork.Binding binding) {
        bindings.put(address, binding);
    }

    void unbind(String address, SimulatedNetwork.Binding binding) {
        bindings.remove(address, binding);
    }

    SimulatedNetwork.@Nullable Binding binding(String address) {
        return bindings.get(address);
    }

    // --- what is wrong

    /** How often a frame is the last of its link, which then breaks with it or right after it. */
    void breaking(double rate) {
        breakRate = rate;
    }

    /** How often a frame, and all behind it, takes up to so much longer. */
    void delaying(double rate, long mostUs) {
        delayRate = rate;
        delayUs = mostUs;
    }

    boolean breaksNow() {
        return world.chance(breakRate);
    }

    /** From now on nothing gets from the one machine to the other, or again. */
    void block(int from, int to, boolean isBlocked) {
        if (isBlocked) {
            blocked.add(pair(from, to));
        } else if (blocked.remove(pair(from, to))) {
            release();
        }
    }

    /** From now on all that goes from the one machine to the other takes about so much longer. */
    void slow(int from, int to, long us) {
        if (us == 0) {
            slowUs.remove(pair(from, to));
        } else {
            slowUs.put(pair(from, to), us);
        }
    }

    void heal() {
        blocked.clear();
        slowUs.clear();
        breakRate = 0;
        delayRate = 0;
        release();
    }

    /** What was held up goes on where it can. */
    void release() {
        List<Pipe> waiting = stuck;
        stuck = new ArrayList<>();
        waiting.forEach(Pipe::release);
    }

    private boolean isPassable(int from, int to) {
        Machine target = machines.get(to);
        return target != null && target.isPowered() && !blocked.contains(pair(from, to));
    }

    private static long pair(int from, int to) {
        return from * 100_000L + to;
    }

    private long latencyUs(int from, int to) {
        long base = baseLatencyUs.computeIfAbsent(pair(from, to), key -> world.between(40, 400));
        Long slow = slowUs.isEmpty() ? null : slowUs.get(pair(from, to));
        long us = base + world.between(0, base / 2) + (slow == null ? 0 : world.between(slow / 2, slow));
        return world.chance(delayRate) ? us + world.between(0, delayUs) : us;
    }

    /** One direction of a link. */
    final class Pipe {
        private final int from;
        private final int to;
        private final List<Runnable> parcels = new ArrayList<>();
        private int next;
        private int heldUp;
        private boolean isStuck;
        private long lastArrivalUs;

        Pipe(int from, int to) {
            this.from = from;
            this.to = to;
        }

        void send(String what, Runnable arrival) {
            parcels.add(arrival);
            schedule(what);
        }

        private void schedule(String what) {
            lastArrivalUs = Math.max(lastArrivalUs, world.nowUs() + latencyUs(from, to));
            world.after(lastArrivalUs - world.nowUs(), to, what, this::arrive);
        }

        private void arrive() {
            if (isStuck || !isPassable(from, to)) {
                heldUp++;
                if (!isStuck) {
                    isStuck = true;
                    stuck.add(this);
                }
                return;
            }
            Runnable parcel = parcels.get(next);
            next++;
            if (next == parcels.size()) {
                parcels.clear();
                next = 0;
            }
            parcel.run();
        }

        private void release() {
            int held = heldUp;
            heldUp = 0;
            isStuck = false;
            for (int i = 0; i < held; i++) {
                schedule("late");
            }
        }
    }
}
