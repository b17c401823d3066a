package io.tidemark.broker.metadata;

import io.tidemark.broker.protocol.ApiMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction of the metadata log (KIP-868) that has begun and not ended: its records count all at once where it ends,
 * and never where it is aborted. Immutable.
 *
 * @param startOffset where it begins
 * @param records what it holds so far
 */
public record OpenTransaction(long startOffset, List<ApiMessage> records) {
    public OpenTransaction {
        records = List.copyOf(records);
    }

    OpenTransaction with(ApiMessage next) {
        List<ApiMessage> more = new ArrayList<>(records);
        more.add(next);
        return new OpenTransaction(startOffset, more);
    }
}
