package io.tidemark.broker.coordinator.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.time.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ProducerIdsTest {
    private final VirtualTime time = new VirtualTime();
    private final Queue<Completion<ProducerIds.Block>> requests = new ArrayDeque<>();
    private final List<Long> given = new ArrayList<>();
    private final List<ErrorCode> refused = new ArrayList<>();
    private final ProducerIds ids = new ProducerIds(requests::add, time.newLoop(), 3_000, 100);
    private long nextBlock = 5_000;

    private void ask() {
        ids.next(new Completion<>() {
            @Override
            public void onReply(Long id) {
                given.add(id);
            }

            @Override
            public void onError(ErrorCode error) {
                refused.add(error);
            }
        });
    }

    private void grant(int count) {
        requests.remove().onReply(new ProducerIds.Block(nextBlock, count));
        nextBlock += 10_000;
    }

    @Test
    void firstWaitsForABlock() {
        ask();
        ask();
        assertThat(given).isEmpty();
        assertThat(requests).as("one request for all").hasSize(1);

        grant(1_000);

        assertThat(given).containsExactly(5_000L, 5_001L);
    }

    @Test
    void nextBlockIsFetchedBeforeThePresentOneIsUsedUp() {
        ask();
        grant(10);
        for (int i = 1; i < 8; i++) {
            ask();
        }
        assertThat(requests).isEmpty();
        ask();
        assertThat(requests).hasSize(1);
        grant(10);
        ask();
        ask();

        assertThat(given).hasSize(11).doesNotHaveDuplicates().endsWith(5_009L, 15_000L);
    }

    @Test
    void whoFindsNoIdLeftWaits() {
        ask();
        grant(1);
        ask();
        ask();
        assertThat(given).hasSize(1);

        grant(1);
        grant(1);

        assertThat(given).containsExactly(5_000L, 15_000L, 25_000L);
    }

    @Test
    void waitHasAnEnd() {
        ask();

        time.runFor(3_000);

        assertThat(refused).containsExactly(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS);
        grant(10);
        assertThat(given).isEmpty();
    }

    @Test
    void controllerThatFailsIsAskedAgainAfterAWhile() {
        ask();
        requests.remove().onError(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(requests).isEmpty();

        time.runFor(100);
        grant(10);

        assertThat(given).containsExactly(5_000L);
    }
}
