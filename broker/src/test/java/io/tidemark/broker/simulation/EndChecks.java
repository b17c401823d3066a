package io.tidemark.broker.simulation;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.replication.HostedPartition;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold when everything is healed and has come to rest; too dear to look at after every event. */
final class EndChecks {
    private final Cluster cluster;
    private final Oracle oracle;

    EndChecks(Cluster cluster, Oracle oracle) {
        this.cluster = cluster;
        this.oracle = oracle;
    }

    void check() throws IOException {
        for (SimulatedNode node : cluster.nodes()) {
            oracle.quorum().checkWhole(node);
        }
        for (PartitionModel model : oracle.living()) {
            if (model.isTorn) {
                continue;
            }
            checkReplicas(model);
            HostedPartition leader = oracle.replica(model.decided.leader(), model);
            List<String> values = PartitionModel.values(leader, 0, leader.logEndOffset());
            checkAcknowledged(model, values);
            checkOnce(model, values);
            checkRefused(model, values);
        }
    }

    /** How a node's metadata differs from what was decided, or nothing. */
    static String metadataDifference(Cluster cluster, Oracle oracle) {
        for (SimulatedNode node : cluster.nodes()) {
            String difference = oracle.quorum().difference(node);
            if (!difference.isEmpty()) {
                return difference;
            }
        }
        return "";
    }

    private void checkReplicas(PartitionModel model) throws IOException {
        ByteBuf expected = null;
        int first = -1;
        for (int broker : model.decided.replicas()) {
            HostedPartition replica = oracle.replica(broker, model);
            ByteBuf bytes = whole(replica);
            ProducerCheck.check(cluster.broker(broker), model, replica);
            if (expected == null) {
                expected = bytes;
                first = broker;
            } else if (!expected.equals(bytes)) {
                throw new Violation("[INV-6] The logs of " + model + " on brokers " + first + " and " + broker
                        + " are not the same bytes");
            }
        }
    }

    private static ByteBuf whole(HostedPartition replica) throws IOException {
        ByteBuf all = io.netty.buffer.Unpooled.buffer();
        long next = 0;
        while (next < replica.highWatermark()) {
            ByteBuf bytes = replica.log()
                    .read(next, 1 << 20, replica.highWatermark(), true)
                    .toByteBuf();
            long before = next;
            for (io.tidemark.broker.record.RecordBatch batch : io.tidemark.broker.record.RecordBatches.of(bytes)) {
                next = Math.max(next, batch.nextOffset());
            }
            if (next == before) {
                break;
            }
            all.writeBytes(bytes);
        }
        return all;
    }

    private static void checkAcknowledged(PartitionModel model, List<String> values) {
        model.acknowledged.forEach((value, offset) -> {
            if (offset >= values.size() || !values.get(offset.intValue()).equals(value)) {
                throw new Violation("[INV-5] " + value + " of " + model + " was acknowledged at offset " + offset
                        + " and is not there at the end");
            }
        });
    }

    /** Of an idempotent producer's records none is there twice, and they are in the order in which it sent them. */
    private static void checkOnce(PartitionModel model, List<String> values) {
        if (model.hasLost()) {
            return;
        }
        Set<String> met = new HashSet<>();
        Map<String, Integer> lastNumbers = new HashMap<>();
        for (String value : values) {
            if (!model.acknowledgedOnce.contains(value)) {
                continue;
            }
            if (!met.add(value)) {
                throw new Violation("[INV-29] " + value + " of " + model + " is there twice");
            }
            String lane = value.substring(0, value.indexOf('-'));
            int number = Integer.parseInt(value.substring(value.indexOf('-') + 1));
            Integer last = lastNumbers.put(lane, number);
            if (last != null && last > number) {
                throw new Violation("[INV-30] " + value + " of " + model + " comes after " + lane + "-" + last);
            }
        }
    }

    private static void checkRefused(PartitionModel model, List<String> values) {
        for (String value : values) {
            if (model.refused.contains(value)) {
                throw new Violation(
                        "[INV-37] " + value + " of " + model + " is there, and was refused for too few replicas");
            }
        }
    }
}
