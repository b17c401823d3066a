package io.tidemark;

/**
 * The fixture itself could not do what it was asked: a node did not start in time, a topic was refused, files could
 * not be deleted. The message says what, where and what to do.
 *
 * <pre>{@code
 * try {
 *     cluster.awaitHealthy(Duration.ofSeconds(10));
 * } catch (ClusterException e) {
 *     System.out.println(e.getMessage());   // names what is missing
 * }
 * }</pre>
 */
public class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
