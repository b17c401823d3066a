package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.TransactionMarker;
import java.util.function.Consumer;

/** Takes the markers of the topic of offsets to the group coordinator, whose pending offsets they decide on. */
@FunctionalInterface
public interface GroupMarkers {
    /**
     * @param offsetsPartition of {@code __consumer_offsets}
     * @param done called once: when the marker is committed, or why it is not
     */
    void complete(int offsetsPartition, TransactionMarker marker, long timeoutMs, Consumer<ErrorCode> done);
}
