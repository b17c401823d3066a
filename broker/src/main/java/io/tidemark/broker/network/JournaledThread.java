package io.tidemark.broker.network;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.tidemark.broker.journal.NodeJournal;
import io.tidemark.broker.journal.NodeThread;
import org.slf4j.MDC;

/** A thread of a node: that of its loop, or one beside it. What is logged on it is the node's. */
final class JournaledThread extends FastThreadLocalThread implements NodeThread {
    private final NodeJournal journal;

    JournaledThread(Runnable task, String name, String nodeName, NodeJournal journal) {
        super(
                () -> {
                    MDC.put(NodeJournal.NODE_KEY, nodeName);
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
