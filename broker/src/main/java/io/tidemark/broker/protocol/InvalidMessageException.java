package io.tidemark.broker.protocol;

/** Bytes that are no such message, or a message that its version cannot carry. */
public final class InvalidMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidMessageException(String message) {
        super(message);
    }

    /** A version that the message does not have. */
    public static InvalidMessageException unsupportedVersion(String message, short version, String supported) {
        return new InvalidMessageException(
                message + " has no version " + version + "; expected one of versions " + supported);
    }

    /** A field with a value other than its default, in a version that would lose it. */
    public static InvalidMessageException notInVersion(String field, short version, String versions) {
        return new InvalidMessageException("Field " + field + " is set, and version " + version
                + " cannot carry it; expected its default, or one of versions " + versions);
    }

    /** Null in a field or version that does not allow it. */
    static InvalidMessageException unexpectedNull(String field) {
        return new InvalidMessageException("Field " + field + " is null; expected a value in this version");
    }

    /** Bytes that contradict the format. */
    static InvalidMessageException unexpected(String field, int position, String expected, String actual) {
        return new InvalidMessageException(
                "Field " + field + " at byte " + position + ": expected " + expected + ", got " + actual);
    }
}
