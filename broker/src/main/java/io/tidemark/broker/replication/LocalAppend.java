package io.tidemark.broker.replication;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.RecordsRejectedException.RecordError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of an append to a partition that this broker leads, or should lead. */
public sealed interface LocalAppend {
    /**
     * The records are in the leader's log, or were already, as a repeat of an idempotent producer.
     *
     * @param firstOffset the offset of the first record
     * @param endOffset the offset after the last one: committed once the high watermark has reached it
     * @param logAppendTimeMs the broker's time where the topic stamps records with it, else -1
     * @param logStartOffset the start of the log
     */
    record Appended(long firstOffset, long endOffset, long logAppendTimeMs, long logStartOffset)
            implements LocalAppend {}

    /**
     * Nothing was appended.
     *
     * @param error why
     * @param message for the client, or null
     * @param recordErrors the records at fault, empty where the whole batch is
     */
    record Refused(ErrorCode error, @Nullable String message, List<RecordError> recordErrors) implements LocalAppend {
        public Refused {
            recordErrors = List.copyOf(recordErrors);
        }

        static Refused of(ErrorCode error) {
            return new Refused(error, null, List.of());
        }
    }
}
