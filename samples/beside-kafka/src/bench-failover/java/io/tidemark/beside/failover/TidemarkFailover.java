package io.tidemark.beside.failover;

import io.tidemark.Cluster;

/** Ours, as a user starts it, with the fixture's own settings. */
final class TidemarkFailover implements FailoverContender {
    private final Cluster cluster = Cluster.builder().brokers(3).start();

    @Override
    public String bootstrapServers() {
        return cluster.bootstrapServers();
    }

    @Override
    public void kill(int brokerId) {
        cluster.broker(brokerId).kill();
    }

    @Override
    public void restart(int brokerId) {
        cluster.broker(brokerId).restart();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
