package io.tidemark.broker.transaction;

import io.tidemark.broker.protocol.ErrorCode;

/** What a rule says to a request on a transactional id. */
sealed interface Decision {
    /** Nothing changes. */
    record Refused(ErrorCode error) implements Decision {}

    /** It was done before: the answer is as it was then. */
    record Repeated(TransactionMetadata as) implements Decision {}

    /** Nothing is decided: asked again with a new producer id, it will be. */
    record NeedsProducerId() implements Decision {}

    /** The next step. */
    record Change(TransactionMetadata next) implements Decision {}
}
