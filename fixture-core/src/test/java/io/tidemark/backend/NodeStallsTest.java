package io.tidemark.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Network;
import io.tidemark.broker.transport.NodeHost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class NodeStallsTest {
    private static final int NODE = 1;

    private final HandMachine machine = new HandMachine();
    private final NodeStalls stalls = new NodeStalls();
    private final List<Throwable> faults = new ArrayList<>();
    private final NodeHost host = host();

    private NodeHost host() {
        return stalls.pulsed(NODE, machine, faults::add, machine::fails);
    }

    @Test
    void aLoopThatHasItsTimeDoesNotStandStill() {
        for (int beats = 0; beats < 50; beats++) {
            machine.passes(55);
            machine.servesTheLoop();
        }

        assertThat(stalls.stalledMs(NODE)).isZero();
    }

    @Test
    void whatALoopIsLateIsAStallBeforeItRunsAndAfter() {
        machine.passes(1_050);
        assertThat(stalls.stalledMs(NODE)).isEqualTo(1_000);
        machine.servesTheLoop();
        assertThat(stalls.stalledMs(NODE)).isEqualTo(1_000);

        machine.passes(300);
        assertThat(stalls.stalledMs(NODE)).isEqualTo(1_250);
    }

    @Test
    void aPauseOnPurposeIsNoStall() {
        machine.passes(250);
        host.pause();
        machine.passes(60_000);
        assertThat(stalls.stalledMs(NODE)).isEqualTo(200);

        host.resume();
        machine.servesTheLoop();
        assertThat(stalls.stalledMs(NODE)).isEqualTo(200);
        machine.passes(350);
        assertThat(stalls.stalledMs(NODE))
                .as("late again, by the machine's fault")
                .isEqualTo(500);
    }

    @Test
    void aNodeThatIsDownStandsNotStill() {
        host.halt();
        machine.passes(60_000);

        assertThat(stalls.stalledMs(NODE)).isZero();
    }

    @Test
    void aNodeThatIsHaltedByAFaultDoesNotEither() {
        Throwable fault = new IllegalStateException("as the test wished");
        machine.onFault.accept(fault);
        machine.passes(60_000);

        assertThat(stalls.stalledMs(NODE)).isZero();
        assertThat(faults).containsExactly(fault);
    }

    @Test
    void theEndOfOneLifeIsNotThatOfTheNext() {
        NodeHost next = host();
        host.close(() -> {});
        machine.passes(250);
        assertThat(stalls.stalledMs(NODE)).isEqualTo(200);

        next.close(() -> {});
        assertThat(stalls.stalledMs(NODE)).isZero();
    }

    @Test
    void ofOthersNothingIsKnown() {
        machine.passes(60_000);

        assertThat(stalls.stalledMs(NODE + 1)).isZero();
    }

    /** A machine of one loop with one timer, which gets its time when the test says so. */
    private static final class HandMachine implements NodeHost, Clock, Loop {
        private long nowMs;
        private Runnable due = () -> {};
        private Consumer<Throwable> onFault = fault -> {};

        NodeHost fails(Consumer<Throwable> told) {
            onFault = told;
            return this;
        }

        void passes(long ms) {
            nowMs += ms;
        }

        void servesTheLoop() {
            due.run();
        }

        @Override
        public long wallTimeMs() {
            return nowMs;
        }

        @Override
        public long monotonicMs() {
            return nowMs;
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public Timer schedule(long delayMs, Runnable task) {
            due = task;
            return () -> {};
        }

        @Override
        public <T> void runBeside(String lane, Callable<T> work, Completion<T> done) {
            throw new UnsupportedOperationException("nothing runs beside");
        }

        @Override
        public Loop loop() {
            return this;
        }

        @Override
        public Network network() {
            throw new UnsupportedOperationException("no network");
        }

        @Override
        public void halt() {}

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public void close(Runnable whenEnded) {}
    }
}
