package io.tidemark.broker.network;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.journal.NodeJournal;
import io.tidemark.broker.time.SystemClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NettyLoopTest {
    private final ManualClock clock = new ManualClock();
    private final List<Throwable> faults = new ArrayList<>();
    private final NettyLoop loop = new NettyLoop("tidemark-test-7", clock, faults::add, NodeJournal.NONE);

    @AfterEach
    void halt() {
        loop.halt();
    }

    @Test
    void runsTasksInTheOrderInWhichTheyWereGiven() throws Exception {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            loop.execute(() -> order.add(number));
        }

        onLoop(() -> null);

        assertThat(order).hasSize(1_000).isSorted();
    }

    @Test
    void runsOnItsOneNamedThread() throws Exception {
        assertThat(onLoop(() -> Thread.currentThread().getName())).isEqualTo("tidemark-test-7");
        assertThat(onLoop(loop::inLoop)).isTrue();
        assertThat(loop.inLoop()).isFalse();
    }

    @Test
    void firesTimersWhenTheClockIsPushedPastThem() throws Exception {
        List<String> fired = new ArrayList<>();
        onLoop(() -> {
            loop.schedule(86_400_000, () -> fired.add("a day"));
            loop.schedule(3_600_000, () -> fired.add("an hour"));
            return loop.schedule(172_800_000, () -> fired.add("two days"));
        });

        clock.push(86_400_000);

        onLoop(() -> null);
        assertThat(fired).containsExactly("an hour", "a day");
    }

    @Test
    void firesTimersAsRealTimePasses() throws Exception {
        NettyLoop real = new NettyLoop("tidemark-test-8", new SystemClock(), faults::add, NodeJournal.NONE);
        try {
            CompletableFuture<Void> fired = new CompletableFuture<>();

            real.execute(() -> real.schedule(5, () -> fired.complete(null)));

            assertThat(fired).succeedsWithin(10, SECONDS);
        } finally {
            real.halt();
        }
    }

    @Test
    void doesNotFireACancelledTimer() throws Exception {
        List<String> fired = new ArrayList<>();
        onLoop(() -> {
            loop.schedule(10, () -> fired.add("cancelled")).cancel();
            return loop.schedule(10, () -> fired.add("kept"));
        });

        clock.push(10);

        onLoop(() -> null);
        assertThat(fired).containsExactly("kept");
    }

    @Test
    void letsOtherTasksRunBetweenTimersThatScheduleThemselvesAnew() throws Exception {
        onLoop(() -> {
            scheduleForEver();
            return null;
        });

        assertThat(onLoop(() -> "had its turn")).isEqualTo("had its turn");
    }

    private void scheduleForEver() {
        loop.schedule(0, this::scheduleForEver);
    }

    @Test
    void runsNothingThatWasQueuedOnceItIsHalted() throws Exception {
        CountDownLatch halting = new CountDownLatch(1);
        List<String> ran = new ArrayList<>();
        loop.execute(() -> await(halting));
        for (int i = 0; i < 100; i++) {
            loop.execute(() -> ran.add("queued"));
        }

        Thread killer = new Thread(loop::halt);
        killer.start();
        awaitHalted();
        halting.countDown();
        killer.join(10_000);

        assertThat(killer.isAlive()).isFalse();
        assertThat(ran).isEmpty();
    }

    private void awaitHalted() {
        while (!loop.isHalted()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void leavesNoThreadAndNoClockListenerOnceHaltReturns() throws Exception {
        onLoop(() -> null);
        CompletableFuture<Void> beside = new CompletableFuture<>();
        loop.execute(() -> loop.runBeside("lane", () -> null, (result, failure) -> beside.complete(null)));
        beside.get(10, SECONDS);

        loop.halt();

        assertThat(threads("tidemark-test-7")).isEmpty();
        assertThat(threads("globalEventExecutor")).isEmpty();
        assertThat(clock.listenerCount()).isZero();
    }

    @Test
    void runsWhatWasQueuedWhenItIsClosedInGoodOrder() {
        List<Integer> ran = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            loop.execute(() -> ran.add(number));
        }

        CompletableFuture<Void> ended = new CompletableFuture<>();
        loop.close(() -> ended.complete(null));

        assertThat(ended).succeedsWithin(10, SECONDS);
        loop.halt();
        assertThat(ran).hasSize(100);
        assertThat(threads("tidemark-test-7")).isEmpty();
    }

    @Test
    void doesNothingWhilePausedAndGoesOnAfterwards() throws Exception {
        loop.pause();
        CompletableFuture<String> later = new CompletableFuture<>();
        loop.execute(() -> later.complete("ran"));

        assertThatThrownBy(() -> later.get(50, java.util.concurrent.TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        loop.resume();

        assertThat(later).succeedsWithin(10, SECONDS).isEqualTo("ran");
    }

    @Test
    void canBeHaltedWhilePaused() {
        loop.pause();

        loop.halt();

        assertThat(threads("tidemark-test-7")).isEmpty();
    }

    @Test
    void isHaltedByATaskThatThrows() throws Exception {
        CompletableFuture<Void> ran = new CompletableFuture<>();
        loop.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        loop.execute(() -> ran.complete(null));

        awaitHalted();
        loop.halt();

        assertThat(faults).singleElement().extracting(Throwable::getMessage).isEqualTo("on purpose");
        assertThat(ran).isNotDone();
    }

    @Test
    void runsOneLaneInOrderAndHandsTheOutcomesBackOnTheLoop() throws Exception {
        List<Integer> order = new ArrayList<>();
        CompletableFuture<Boolean> inLoop = new CompletableFuture<>();
        loop.execute(() -> {
            for (int i = 0; i < 50; i++) {
                int number = i;
                loop.runBeside("disk", () -> number, (result, failure) -> order.add(result));
            }
            loop.runBeside("disk", () -> null, (result, failure) -> inLoop.complete(loop.inLoop()));
        });

        assertThat(inLoop).succeedsWithin(10, SECONDS).isEqualTo(true);
        assertThat(order).hasSize(50).isSorted();
    }

    @Test
    void handsAFailureOfWorkBesideItBack() throws Exception {
        CompletableFuture<Throwable> failed = new CompletableFuture<>();

        loop.execute(() -> loop.runBeside(
                "disk",
                () -> {
                    throw new java.io.IOException("no room");
                },
                (result, failure) -> failed.complete(failure)));

        assertThat(failed.get(10, SECONDS)).hasMessage("no room");
        assertThat(faults).isEmpty();
    }

    private <T> T onLoop(Callable<T> call) throws Exception {
        CompletableFuture<T> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                done.complete(call.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done.get(10, SECONDS);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(10, SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }
}
