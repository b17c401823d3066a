package io.tidemark.samples.quarkus;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.tidemark.Cluster;
import java.util.Map;

/** Starts a cluster before Quarkus asks for its address, and hands it to the test's field. */
public final class ClusterResource implements QuarkusTestResourceLifecycleManager {
    private Cluster cluster;

    @Override
    public Map<String, String> start() {
        cluster = Cluster.builder().brokers(3).topic("orders").topic("bills").start();
        return Map.of("kafka.bootstrap.servers", cluster.bootstrapServers());
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(cluster, new TestInjector.MatchesType(Cluster.class));
    }

    @Override
    public void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }
}
