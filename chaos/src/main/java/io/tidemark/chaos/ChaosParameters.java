package io.tidemark.chaos;

import io.tidemark.Cluster;
import io.tidemark.spi.InjectionPoint;
import io.tidemark.spi.InjectionScope;
import io.tidemark.spi.ParameterProvider;

/**
 * Injects {@link Chaos}: one for all parameters of a test, healed at its end.
 *
 * <pre>{@code
 * @Test
 * void survives(Chaos chaos, Cluster cluster) {
 *     chaos.kill(cluster.partition("orders", 0).leader());
 * }
 * }</pre>
 */
public final class ChaosParameters implements ParameterProvider {
    @Override
    public boolean supports(InjectionPoint point) {
        return point.rawType() == Chaos.class;
    }

    @Override
    public Object provide(InjectionPoint point, InjectionScope scope) {
        Cluster cluster = scope.cluster();
        return scope.shared(Chaos.class, () -> Chaos.on(cluster));
    }
}
