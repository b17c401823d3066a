package io.tidemark.broker.purgatory;

/** Something that waits for a condition, for some time. */
public interface DelayedOperation {
    /** True where the condition holds, and the operation is to end now. Changes nothing that others see. */
    boolean isReady();

    /**
     * Ends the operation; called exactly once.
     *
     * @param isExpired true where the time ran out first
     */
    void onComplete(boolean isExpired);
}
