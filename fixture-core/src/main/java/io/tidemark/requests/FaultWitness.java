package io.tidemark.requests;

/**
 * Hears what is done by faults, and what they strike. Called from any thread, those of nodes too, and answers at once.
 *
 * <pre>{@code
 * FaultWitness witness = new FaultWitness() {
 *     public void did(String subject, String text) { }
 *     public void struck(Object fault, String place, String text) { }
 * };
 * new RequestRule(board, id -> {}, witness, 42);
 * }</pre>
 */
public interface FaultWitness {
    /** A fault was declared, or is over: to what, and what. */
    void did(String subject, String text);

    /**
     * A fault has struck.
     *
     * @param fault tells its strikes from those of others; its text says what it is
     * @param place where, for example {@code node 1}
     * @param text whom
     */
    void struck(Object fault, String place, String text);
}
