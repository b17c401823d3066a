package io.tidemark.broker.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose journal hears a line. */
class NodeLogTest {
    private static final NodeLog LOG = NodeLog.of(NodeLogTest.class);

    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

    private final class Working extends Thread implements NodeThread {
        Working(Runnable task) {
            super(task);
        }

        @Override
        public NodeJournal journal() {
            return (level, source, message) -> heard.add(level + " " + source + ": " + message);
        }
    }

    @Test
    void tellsTheNodeOnWhoseThreadItIsWritten() throws InterruptedException {
        run(new Working(() -> {
            LOG.info("Broker {} is {}", 1, "up");
            LOG.warn("Closing {} failed", "orders-0", new IOException("disk full"));
            LOG.error("No arguments");
        }));

        assertThat(heard)
                .containsExactly(
                        "INFO NodeLogTest: Broker 1 is up",
                        "WARN NodeLogTest: Closing orders-0 failed: java.io.IOException: disk full",
                        "ERROR NodeLogTest: No arguments");
    }

    @Test
    void keepsDebugToTheUsersLogging() throws InterruptedException {
        run(new Working(() -> {
            LOG.debug("Voter {} did not answer", 3);
            LOG.trace("Dropped");
        }));

        assertThat(heard).isEmpty();
    }

    @Test
    void tellsNobodyOfLinesOfOtherThreads() throws InterruptedException {
        run(new Thread(() -> LOG.warn("Written by a test")));

        assertThat(heard).isEmpty();
    }

    private static void run(Thread thread) throws InterruptedException {
        thread.start();
        thread.join();
    }
}
