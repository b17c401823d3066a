package io.tidemark.backend;

import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.time.Stalls;
import io.tidemark.broker.transport.ForwardingHost;
import io.tidemark.broker.transport.NodeHost;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * How long the loops of a cluster's nodes stood still. Each loop has a pulse; what one comes late is a stall, and so is
 * how long one that is due has not come. A node that is paused on purpose has no pulse, and one that is down neither.
 */
final class NodeStalls implements Stalls {
    /** Several in the shortest session that anybody would set. */
    private static final long PULSE_MS = 50;

    /** A pulse that comes this much late is a matter of scheduling, not of a stall. */
    private static final long TOLERATED_LATENESS_MS = 10;

    private final Map<Integer, Pulse> pulses = new ConcurrentHashMap<>();

    @Override
    public long stalledMs(int nodeId) {
        Pulse pulse = pulses.get(nodeId);
        return pulse == null ? 0 : pulse.stalledMs();
    }

    /**
     * A host with a pulse for as long as it runs.
     *
     * @param onFault told of the fault that the host ended by
     * @param hosts makes the host, given who is told of its fault
     */
    NodeHost pulsed(
            int nodeId, Clock clock, Consumer<Throwable> onFault, Function<Consumer<Throwable>, NodeHost> hosts) {
        Pulse pulse = new Pulse(clock);
        NodeHost host = hosts.apply(fault -> {
            pulses.remove(nodeId, pulse);
            onFault.accept(fault);
        });
        pulses.put(nodeId, pulse);
        host.loop().execute(() -> pulse.beatOn(host.loop()));
        return new PulsedHost(nodeId, host, pulse);
    }

    /** Passes on everything, and knows when its loop is held on purpose or ends. */
    private final class PulsedHost extends ForwardingHost {
        private final int nodeId;
        private final Pulse pulse;

        PulsedHost(int nodeId, NodeHost real, Pulse pulse) {
            super(real);
            this.nodeId = nodeId;
            this.pulse = pulse;
        }

        @Override
        public void pause() {
            pulse.hold();
            super.pause();
        }

        @Override
        public void resume() {
            pulse.goOn();
            super.resume();
        }

        @Override
        public void halt() {
            pulses.remove(nodeId, pulse);
            super.halt();
        }

        @Override
        public void close(Runnable whenEnded) {
            pulses.remove(nodeId, pulse);
            super.close(whenEnded);
        }
    }

    /** The pulse of one loop. It beats on the loop, and is read from any thread. */
    private static final class Pulse {
        private final Clock clock;
        private final AtomicReference<Beat> last;

        Pulse(Clock clock) {
            this.clock = clock;
            this.last = new AtomicReference<>(new Beat(0, machineMs(), false));
        }

        /** A push of the clock is no stall. In this order: a push between the two is none either. */
        private long machineMs() {
            long nowMs = clock.monotonicMs();
            return nowMs - clock.pushedMs();
        }

        void beatOn(Loop loop) {
            last.updateAndGet(beat -> beat.next(machineMs(), beat.isHeld()));
            loop.schedule(PULSE_MS, () -> beatOn(loop));
        }

        void hold() {
            last.updateAndGet(beat -> beat.next(machineMs(), true));
        }

        void goOn() {
            last.updateAndGet(beat -> beat.next(machineMs(), false));
        }

        long stalledMs() {
            return Objects.requireNonNull(last.get()).stalledMs(machineMs());
        }
    }

    /**
     * One beat. Its sum and its time change together, so that nobody counts a stall twice.
     *
     * @param sumMs how long the loop had stood still until then
     * @param atMs when it was
     * @param isHeld the loop is paused on purpose since
     */
    private record Beat(long sumMs, long atMs, boolean isHeld) {
        Beat next(long nowMs, boolean held) {
            return new Beat(stalledMs(nowMs), nowMs, held);
        }

        long stalledMs(long nowMs) {
            long lateMs = nowMs - atMs - PULSE_MS;
            return isHeld || lateMs <= TOLERATED_LATENESS_MS ? sumMs : sumMs + lateMs;
        }
    }
}
