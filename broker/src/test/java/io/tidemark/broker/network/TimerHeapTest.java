package io.tidemark.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimerHeapTest {
    private final TimerHeap heap = new TimerHeap();

    @Test
    void givesTimersInTheOrderOfTheirDeadlines() {
        heap.add(30, () -> {});
        heap.add(10, () -> {});
        heap.add(20, () -> {});

        assertThat(drain()).extracting(entry -> entry.deadlineMs).containsExactly(10L, 20L, 30L);
    }

    @Test
    void givesTimersOfOneDeadlineInTheOrderOfTheirScheduling() {
        for (int i = 0; i < 100; i++) {
            heap.add(7, () -> {});
        }

        assertThat(drain()).extracting(entry -> entry.sequence).isSorted().hasSize(100);
    }

    @Test
    void keepsItsOrderWhileTimersAreCancelledAnywhere() {
        Random random = new Random(42);
        List<TimerHeap.Entry> kept = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            kept.add(heap.add(random.nextInt(500), () -> {}));
            if (random.nextInt(3) == 0) {
                kept.remove(random.nextInt(kept.size())).cancel();
            }
        }

        kept.sort(Comparator.comparingLong((TimerHeap.Entry entry) -> entry.deadlineMs)
                .thenComparingLong(entry -> entry.sequence));

        assertThat(drain()).containsExactlyElementsOf(kept);
    }

    @Test
    void cancellingTwiceIsHarmless() {
        TimerHeap.Entry entry = heap.add(1, () -> {});
        heap.add(2, () -> {});

        entry.cancel();
        entry.cancel();

        assertThat(drain()).hasSize(1);
    }

    private List<TimerHeap.Entry> drain() {
        List<TimerHeap.Entry> entries = new ArrayList<>();
        for (TimerHeap.Entry next = heap.peek(); next != null; next = heap.peek()) {
            next.cancel();
            entries.add(next);
        }
        return entries;
    }
}
