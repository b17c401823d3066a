package io.tidemark.broker.controller;

import io.tidemark.broker.protocol.ApiMessage;
import java.util.List;

/**
 * What the controller decided: metadata records to append as one atomic batch, and the reply to give once they are
 * committed.
 *
 * @param records generated records of {@code protocol.metadata}, in order; empty where nothing changes
 * @param reply given when the high watermark has passed the records; where there are none, when it has passed all that
 *     the decision was based on
 * @param <R> the reply's type
 */
public record ControllerResult<R>(List<ApiMessage> records, R reply) {
    public ControllerResult {
        records = List.copyOf(records);
    }

    static <R> ControllerResult<R> of(R reply) {
        return new ControllerResult<>(List.of(), reply);
    }
}
