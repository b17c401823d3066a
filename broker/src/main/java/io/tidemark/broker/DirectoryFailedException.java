package io.tidemark.broker;

/** A node cannot go on without a log directory that failed. */
final class DirectoryFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DirectoryFailedException(String message) {
        super(message);
    }
}
