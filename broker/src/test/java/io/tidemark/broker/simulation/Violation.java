package io.tidemark.broker.simulation;

/** A rule that was found broken. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }

    Violation(String message, Throwable cause) {
        super(message, cause);
    }
}
