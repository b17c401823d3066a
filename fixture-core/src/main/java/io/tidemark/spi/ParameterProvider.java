package io.tidemark.spi;

/**
 * Offers values for parameters of tests. Registered in
 * {@code META-INF/services/io.tidemark.spi.ParameterProvider}; needs a public constructor without arguments.
 *
 * <pre>{@code
 * public final class SchemaParameters implements ParameterProvider {
 *     public boolean supports(InjectionPoint point) {
 *         return point.rawType() == SchemaClient.class;
 *     }
 *
 *     public Object provide(InjectionPoint point, InjectionScope scope) {
 *         SchemaClient client = new SchemaClient(scope.cluster().bootstrapServers());
 *         scope.closeLater(client);
 *         return client;
 *     }
 * }
 * }</pre>
 */
public interface ParameterProvider {
    /** True where {@link #provide} will give a value, or say what is wrong with the parameter. */
    boolean supports(InjectionPoint point);

    /**
     * The value. What must be closed is given to the scope.
     *
     * @throws IllegalArgumentException if the parameter asks for something that cannot be; the message says what can
     */
    Object provide(InjectionPoint point, InjectionScope scope);
}
