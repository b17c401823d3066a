package io.tidemark.beside.bench;

import io.tidemark.Cluster;

/** Ours, as a user starts it. */
final class TidemarkContender implements Contender {
    @Override
    public Running start(int brokers) {
        Cluster cluster = Cluster.builder().brokers(brokers).start();
        return new Running() {
            @Override
            public String bootstrapServers() {
                return cluster.bootstrapServers();
            }

            @Override
            public void close() {
                cluster.close();
            }
        };
    }
}
