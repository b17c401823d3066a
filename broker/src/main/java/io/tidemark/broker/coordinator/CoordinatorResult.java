package io.tidemark.broker.coordinator;

import java.util.List;

/**
 * What a shard decided: records to append, as one atomic batch, and the reply to give once they are committed.
 *
 * @param records in order; empty where nothing changes
 * @param reply given when the high watermark has passed the records, at once where there are none
 * @param <R> the reply's type
 */
public record CoordinatorResult<R>(List<CoordinatorRecord> records, R reply) {
    public CoordinatorResult {
        records = List.copyOf(records);
    }

    public static <R> CoordinatorResult<R> of(R reply) {
        return new CoordinatorResult<>(List.of(), reply);
    }
}
