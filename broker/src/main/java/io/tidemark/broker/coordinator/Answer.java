package io.tidemark.broker.coordinator;

import io.tidemark.broker.protocol.ErrorCode;
import java.util.function.Function;

/**
 * An effect of a decision: somebody who waits gets his answer. A shard returns answers and delivers none; the runtime
 * delivers them when the records of the same decision are committed.
 *
 * @param ticket who waits
 * @param value what he is told if all goes well
 * @param onFailure what he is told if the records of the decision could not be committed
 * @param <T> the answer's type
 */
public record Answer<T>(Ticket<T> ticket, T value, Function<ErrorCode, T> onFailure) {
    public void deliver() {
        ticket.answer(value);
    }

    public void deliverFailure(ErrorCode error) {
        ticket.answer(onFailure.apply(error));
    }

    /** A request in hand that waits for its answer. Shards keep tickets and compare them; they never call them. */
    @FunctionalInterface
    public interface Ticket<T> {
        /** Called once. */
        void answer(T value);
    }
}
