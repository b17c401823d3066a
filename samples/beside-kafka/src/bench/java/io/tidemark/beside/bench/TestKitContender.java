package io.tidemark.beside.bench;

import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/** Apache Kafka in this JVM, by the test kit of its own integration tests, with the same fixture's settings as ours. */
final class TestKitContender implements Contender {
    @Override
    public Running start(int brokers) throws Exception {
        KafkaClusterTestKit cluster = new KafkaClusterTestKit.Builder(new TestKitNodes.Builder()
                        .setNumControllerNodes(1)
                        .setNumBrokerNodes(brokers)
                        .build())
                .setConfigProp("group.initial.rebalance.delay.ms", "0")
                .setConfigProp("offsets.topic.num.partitions", "5")
                .build();
        cluster.format();
        cluster.startup();
        cluster.waitForReadyBrokers();
        return new Running() {
            @Override
            public String bootstrapServers() {
                return cluster.bootstrapServers();
            }

            @Override
            public void close() throws Exception {
                cluster.close();
            }
        };
    }
}
