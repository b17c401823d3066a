package io.tidemark.broker.record;

/** Bytes that claim to be a record batch and are not one. */
public class CorruptBatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CorruptBatchException(String message) {
        super(message);
    }

    public CorruptBatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
