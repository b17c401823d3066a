package io.tidemark.broker.quorum;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** Who waits for what the active controller has written to be committed, in the order of the offsets. */
final class PendingReplies {
    private final Queue<Pending> replies = new ArrayDeque<>();

    private record Pending(long endOffset, Runnable reply, Runnable onLost) {}

    /**
     * @param endOffset where the high watermark has to be
     * @param reply called then
     * @param onLost called instead where this node stops leading before
     */
    void add(long endOffset, Runnable reply, Runnable onLost) {
        replies.add(new Pending(endOffset, reply, onLost));
    }

    void release(long highWatermark) {
        for (Pending next = replies.peek(); next != null && next.endOffset() <= highWatermark; next = replies.peek()) {
            replies.remove();
            next.reply().run();
        }
    }

    /** This node leads no more: whether it was committed is not known. */
    void lose() {
        List<Pending> lost = List.copyOf(replies);
        replies.clear();
        lost.forEach(pending -> pending.onLost().run());
    }

    /** Nobody is answered any more. */
    void clear() {
        replies.clear();
    }
}
