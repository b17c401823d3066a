package io.tidemark.broker.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PurgatoryTest {
    private final VirtualTime time = new VirtualTime();
    private final Purgatory<String> purgatory = new Purgatory<>(time.newLoop());

    @Test
    void endsAReadyOperationAtOnce() {
        FakeOperation operation = new FakeOperation();
        operation.isReady = true;

        purgatory.completeOrWatch(operation, List.of("a"), 100);

        assertThat(operation.outcomes).containsExactly(false);
        assertThatNothingIsLeft();
    }

    @Test
    void endsAnOperationWithoutTimeAtOnce() {
        FakeOperation operation = new FakeOperation();

        purgatory.completeOrWatch(operation, List.of("a"), 0);

        assertThat(operation.outcomes).containsExactly(true);
        assertThatNothingIsLeft();
    }

    @Test
    void endsAnOperationByAnEventOfAnyOfItsKeysAndForgetsItUnderAll() {
        FakeOperation operation = new FakeOperation();
        purgatory.completeOrWatch(operation, List.of("a", "b"), 100);
        operation.isReady = true;

        assertThat(purgatory.onEvent("b")).isEqualTo(1);

        assertThat(operation.outcomes).containsExactly(false);
        assertThatNothingIsLeft();
    }

    @Test
    void leavesAnOperationThatIsNotReady() {
        FakeOperation operation = new FakeOperation();
        purgatory.completeOrWatch(operation, List.of("a"), 100);

        assertThat(purgatory.onEvent("a")).isZero();

        assertThat(operation.outcomes).isEmpty();
        assertThat(purgatory.size()).isEqualTo(1);
    }

    @Test
    void doesNotLookAtWhoWaitsUnderOtherKeys() {
        FakeOperation operation = new FakeOperation();
        purgatory.completeOrWatch(operation, List.of("a"), 100);
        operation.looks = 0;

        purgatory.onEvent("b");

        assertThat(operation.looks).isZero();
    }

    @Test
    void endsAnOperationWhenItsTimeIsUpAndNotBefore() {
        FakeOperation operation = new FakeOperation();
        purgatory.completeOrWatch(operation, List.of("a"), 100);

        time.runFor(99);
        assertThat(operation.outcomes).isEmpty();
        time.runFor(1);

        assertThat(operation.outcomes).containsExactly(true);
        assertThatNothingIsLeft();
    }

    @Test
    void endsAnOperationOnce() {
        FakeOperation operation = new FakeOperation();
        purgatory.completeOrWatch(operation, List.of("a", "b"), 100);
        operation.isReady = true;

        purgatory.onEvent("a");
        purgatory.onEvent("b");
        time.runFor(1_000);

        assertThat(operation.outcomes).containsExactly(false);
    }

    @Test
    void leavesNoTimerBehind() {
        FakeOperation operation = new FakeOperation();
        purgatory.completeOrWatch(operation, List.of("a"), 1_000_000);
        operation.isReady = true;

        purgatory.onEvent("a");

        assertThat(time.pending()).isZero();
    }

    @Test
    void operationMayWaitAgainFromWithinItsEnd() {
        FakeOperation next = new FakeOperation();
        FakeOperation first = new FakeOperation();
        first.atEnd = () -> purgatory.completeOrWatch(next, List.of("a"), 100);
        purgatory.completeOrWatch(first, List.of("a"), 100);
        first.isReady = true;

        assertThat(purgatory.onEvent("a")).isEqualTo(1);

        assertThat(next.outcomes).isEmpty();
        assertThat(purgatory.size()).isEqualTo(1);
    }

    @Test
    void oldestEndsFirst() {
        List<String> ended = new ArrayList<>();
        for (String name : List.of("first", "second", "third")) {
            FakeOperation operation = new FakeOperation();
            operation.atEnd = () -> ended.add(name);
            purgatory.completeOrWatch(operation, List.of("a"), 100);
            operation.isReady = true;
        }

        purgatory.onEvent("a");

        assertThat(ended).containsExactly("first", "second", "third");
    }

    @Test
    void aHundredThousandWhoWaitCostNoLookUntilSomethingHappensToTheirOwnKey() {
        int keys = 100;
        int perKey = 1_000;
        List<FakeOperation> operations = new ArrayList<>();
        for (int i = 0; i < keys * perKey; i++) {
            FakeOperation operation = new FakeOperation();
            purgatory.completeOrWatch(operation, List.of("orders-" + i % keys), 30_000);
            operation.looks = 0;
            operations.add(operation);
        }

        time.runFor(29_999);
        assertThat(looks(operations)).as("looks while nothing happens").isZero();
        purgatory.onEvent("orders-7");
        assertThat(looks(operations)).as("looks at one event").isEqualTo(perKey);
        for (int i = 7; i < operations.size(); i += keys) {
            assertThat(operations.get(i).looks).isEqualTo(1);
        }
        time.runFor(1);

        assertThat(looks(operations)).as("looks at the end of their time").isEqualTo(perKey);
        assertThat(operations)
                .allSatisfy(operation -> assertThat(operation.outcomes).containsExactly(true));
        assertThatNothingIsLeft();
    }

    private static int looks(List<FakeOperation> operations) {
        return operations.stream().mapToInt(operation -> operation.looks).sum();
    }

    private void assertThatNothingIsLeft() {
        assertThat(purgatory.size()).isZero();
        assertThat(purgatory.watchedKeys()).isZero();
    }

    private static final class FakeOperation implements DelayedOperation {
        private final List<Boolean> outcomes = new ArrayList<>();
        private Runnable atEnd = () -> {};
        private boolean isReady;
        private int looks;

        @Override
        public boolean isReady() {
            looks++;
            return isReady;
        }

        @Override
        public void onComplete(boolean isExpired) {
            outcomes.add(isExpired);
            atEnd.run();
        }
    }
}
