package io.tidemark.broker.network;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.tidemark.broker.journal.NodeJournal;
import io.tidemark.broker.journal.NodeThread;
import org.slf4j.MDC;

/** The thread of a node's loop. */
final class LoopThread extends FastThreadLocalThread implements NodeThread {
    private final NodeJournal journal;

    /** @param name its own and the node's */
    LoopThread(Runnable task, String name, NodeJournal journal) {
        super(
                () -> {
                    MDC.put(NodeJournal.NODE_KEY, name);
                    task.run();
                },
                name);
        this.journal = journal;
    }

    @Override
    public NodeJournal journal() {
        return journal;
    }
}
