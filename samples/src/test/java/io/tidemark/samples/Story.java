package io.tidemark.samples;

import io.tidemark.PartitionHandle;
import io.tidemark.PartitionState;

/** Tells what happens, one line at a time. */
final class Story {
    private final StringBuilder text = new StringBuilder();

    Story(String title) {
        text.append('\n').append(title).append('\n');
    }

    Story tell(String line) {
        text.append("  ").append(line).append('\n');
        return this;
    }

    /** Tells who leads a partition, who is in sync, and how far it is committed. */
    Story tell(String line, PartitionHandle partition) {
        PartitionState state = partition.snapshot();
        return tell(String.format(
                "%-44s leader %s, leader epoch %d, ISR %s, high watermark %s",
                line,
                state.leader().isPresent() ? state.leader().getAsInt() : "none",
                state.leaderEpoch(),
                state.isr(),
                state.highWatermark().isPresent() ? state.highWatermark().getAsLong() : "unknown"));
    }

    /** Prints it in one piece, so that nothing comes between its lines. */
    @SuppressWarnings("SystemOut") // a sample talks to the person who runs it
    void end() {
        System.out.println(text);
    }
}
