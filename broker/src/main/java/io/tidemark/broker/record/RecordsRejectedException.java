package io.tidemark.broker.record;

import io.tidemark.broker.protocol.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records that a leader refuses. Nothing of them was appended. Carries what the produce response must say. */
public final class RecordsRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode errorCode;
    private final transient List<RecordError> recordErrors;

    public RecordsRejectedException(ErrorCode errorCode, String message) {
        this(errorCode, message, List.of());
    }

    public RecordsRejectedException(ErrorCode errorCode, String message, List<RecordError> recordErrors) {
        super(message);
        this.errorCode = errorCode;
        this.recordErrors = List.copyOf(recordErrors);
    }

    public ErrorCode errorCode() {
        return errorCode;
    }

    /** Which records of the batch are at fault (KIP-467); empty where the batch as a whole is. */
    public List<RecordError> recordErrors() {
        return recordErrors;
    }

    /**
     * One record at fault.
     *
     * @param batchIndex the record's place in the batch, from 0
     * @param message why, or null
     */
    public record RecordError(int batchIndex, @Nullable String message) {}
}
