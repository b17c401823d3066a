package io.tidemark.assertions;

/** What one look at a partition says of an expectation. */
sealed interface Verdict {
    /** It holds. */
    record Met() implements Verdict {}

    /**
     * It does not hold, and may yet.
     *
     * @param actual what was seen in its place
     */
    record NotYet(String actual) implements Verdict {}

    /**
     * It does not hold, and never will.
     *
     * @param actual what was seen in its place
     * @param reason why that cannot change
     */
    record Never(String actual, String reason) implements Verdict {}
}
