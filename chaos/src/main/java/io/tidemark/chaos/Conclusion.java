package io.tidemark.chaos;

/**
 * What a verdict comes to.
 *
 * <pre>{@code
 * assertThat(new HistoryChecker().check(history).conclusion()).isEqualTo(Conclusion.HOLDS);
 * }</pre>
 */
public enum Conclusion {
    /** Everything is as it was told. */
    HOLDS,
    /** Nothing is wrong, and of something nobody can know: a client gave up on it, and it may or may not be there. */
    INDETERMINATE,
    /** Something is wrong. */
    BROKEN
}
