package io.tidemark.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ListOffsetsRequest;
import io.tidemark.broker.protocol.message.ListOffsetsResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One partition on three brokers that are killed, started again, cut off, fenced, elected and kept from the metadata at random. Elections are
 * clean. What was acknowledged by all must survive that, and nothing that a consumer was shown may be taken back.
 */
class ReplicationSimulationTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final List<Integer> BROKERS = List.of(1, 2, 3);
    private static final int STEPS = 150;

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void acknowledgedRecordsSurviveAndNothingShownIsTakenBack(long seed) throws IOException {
        new Run(folder, seed).run();
    }

    private static final class Run {
        private final SplittableRandom random;
        private final FakeCluster cluster;
        private final List<Write> waiting = new ArrayList<>();
        private final Map<Long, String> acknowledged = new TreeMap<>();
        private long shownEndOffset;
        private int nextValue;

        private Run(Path folder, long seed) {
            random = new SplittableRandom(seed);
            cluster = new FakeCluster(folder, Map.of("node.id", "1", "replica.lag.time.max.ms", "1000"), 3);
        }

        private record Write(String value, FakeCluster.Call<ProduceResponse> call) {}

        void run() throws IOException {
            int minIsr = random.nextInt(1, 3);
            cluster.createTopic("orders", 1, BROKERS, Map.of("min.insync.replicas", String.valueOf(minIsr)));
            cluster.time().runDue();
            for (int step = 0; step < STEPS; step++) {
                act();
                check();
            }
            heal();
            cluster.time().runFor(6_000);
            check();
            checkConverged();
            cluster.close();
        }

        private void act() {
            int broker = random.nextInt(1, 4);
            switch (random.nextInt(16)) {
                case 0 -> kill(broker);
                case 1, 2 -> restart(broker);
                case 3 -> cluster.isolate(broker, true);
                case 4, 5 -> cluster.isolate(broker, false);
                case 6 -> elect(broker);
                case 7 -> cluster.time().runFor(random.nextInt(1_500));
                case 8 -> deafen(broker);
                case 9, 10 -> cluster.deafen(broker, false);
                default -> {
                    produce(random.nextBoolean() ? -1 : 1);
                    cluster.time().runFor(random.nextInt(30));
                }
            }
        }

        private void kill(int broker) {
            if (cluster.isUp(broker)) {
                cluster.kill(broker);
                cluster.time().runFor(random.nextInt(20));
                cluster.fence(broker, true);
                leave(broker);
            }
        }

        /** What a controller does of a broker that is fenced: out of the in-sync set, and its leadership to another. */
        private void leave(int broker) {
            PartitionRegistration now = cluster.registration(ORDERS);
            List<Integer> rest = new ArrayList<>(now.isr());
            rest.remove((Integer) broker);
            if (rest.isEmpty()) {
                cluster.elect(ORDERS, PartitionRegistration.NO_LEADER, now.isr());
            } else if (rest.size() < now.isr().size()) {
                cluster.elect(ORDERS, now.leader() == broker ? rest.get(0) : now.leader(), rest);
            }
            cluster.time().runDue();
        }

        private void restart(int broker) {
            if (!cluster.isUp(broker)) {
                cluster.start(broker);
                PartitionRegistration now = cluster.registration(ORDERS);
                if (!now.hasLeader() && now.isr().contains(broker)) {
                    cluster.elect(ORDERS, broker, now.isr());
                }
                cluster.time().runDue();
            }
        }

        private void elect(int broker) {
            PartitionRegistration now = cluster.registration(ORDERS);
            if (cluster.isUp(broker) && now.isr().contains(broker) && now.leader() != broker) {
                cluster.elect(ORDERS, broker, now.isr());
                cluster.time().runDue();
            }
        }

        /** It may go on leading as it believes to, while another one is elected. */
        private void deafen(int broker) {
            if (cluster.isUp(broker)) {
                cluster.deafen(broker, true);
            }
        }

        private void heal() {
            for (int broker : BROKERS) {
                cluster.deafen(broker, false);
                cluster.isolate(broker, false);
                restart(broker);
            }
        }

        private FakeCluster.@Nullable Node leader() {
            int leader = cluster.registration(ORDERS).leader();
            return leader >= 0 && cluster.isUp(leader) ? cluster.node(leader) : null;
        }

        /** Mostly to the leader, but also to who may still believe to be it. */
        private void produce(int acks) {
            int broker = random.nextInt(1, 4);
            FakeCluster.Node leader = random.nextBoolean() && cluster.isUp(broker) ? cluster.node(broker) : leader();
            if (leader == null) {
                return;
            }
            String value = "value-" + nextValue++;
            ByteBuf batch = new RecordBatchBuilder()
                    .add(cluster.time().wallTimeMs(), null, value.getBytes(StandardCharsets.UTF_8))
                    .build();
            ProduceRequest request = new ProduceRequest()
                    .setAcks((short) acks)
                    .setTimeoutMs(3_000)
                    .setTopicData(List.of(new ProduceRequest.TopicProduceData()
                            .setName("orders")
                            .setPartitionData(List.of(new ProduceRequest.PartitionProduceData()
                                    .setIndex(0)
                                    .setRecords(new BufferRecords(batch))))));
            FakeCluster.Call<ProduceResponse> call = leader.call(request, 12);
            if (acks == -1) {
                waiting.add(new Write(value, call));
            }
        }

        private void check() throws IOException {
            noteAnswers();
            checkShownEnd();
            for (int broker : BROKERS) {
                if (cluster.isUp(broker) && cluster.node(broker).partitions().partition(ORDERS) != null) {
                    checkReplica(cluster.node(broker));
                }
            }
        }

        private void noteAnswers() {
            waiting.removeIf(write -> {
                if (!write.call.isAnswered()) {
                    return false;
                }
                ProduceResponse.PartitionProduceResponse answer = write.call
                        .response()
                        .responses()
                        .get(0)
                        .partitionResponses()
                        .get(0);
                if (answer.errorCode() == ErrorCode.NONE.code()) {
                    String before = acknowledged.put(answer.baseOffset(), write.value);
                    assertThat(before)
                            .as("another record at offset %d", answer.baseOffset())
                            .isNull();
                }
                return true;
            });
        }

        private void checkShownEnd() {
            FakeCluster.Node leader = leader();
            if (leader == null) {
                return;
            }
            ListOffsetsRequest request = new ListOffsetsRequest()
                    .setReplicaId(-1)
                    .setTopics(List.of(new ListOffsetsRequest.ListOffsetsTopic()
                            .setName("orders")
                            .setPartitions(List.of(new ListOffsetsRequest.ListOffsetsPartition()
                                    .setPartitionIndex(0)
                                    .setTimestamp(-1)))));
            FakeCluster.Call<ListOffsetsResponse> call = leader.call(request, 7);
            ListOffsetsResponse.ListOffsetsPartitionResponse answer =
                    call.response().topics().get(0).partitions().get(0);
            if (answer.errorCode() == ErrorCode.NONE.code()) {
                assertThat(answer.offset()).as("latest offset shown").isGreaterThanOrEqualTo(shownEndOffset);
                shownEndOffset = answer.offset();
            }
        }

        private void checkReplica(FakeCluster.Node node) throws IOException {
            ReplicaSnapshot replica = node.replica(ORDERS);
            assertThat(replica.highWatermark())
                    .isBetween(replica.logStartOffset(), replica.logEndOffset())
                    .isGreaterThanOrEqualTo(replica.lastStableOffset());
            Map<Long, String> records = records(node.hosted(ORDERS));
            acknowledged.forEach((offset, value) -> {
                if (offset < replica.highWatermark()) {
                    assertThat(records).as("a replica below its watermark").containsEntry(offset, value);
                }
            });
        }

        private void checkConverged() throws IOException {
            FakeCluster.Node leader = leader();
            assertThat(leader).as("a leader once everybody is back").isNotNull();
            ReplicaSnapshot led = leader.replica(ORDERS);
            assertThat(led.isr()).containsExactlyInAnyOrderElementsOf(BROKERS);
            assertThat(led.highWatermark()).isEqualTo(led.logEndOffset());
            Map<Long, String> records = records(leader.hosted(ORDERS));
            assertThat(records).containsAllEntriesOf(acknowledged);
            for (int broker : BROKERS) {
                HostedPartition hosted = cluster.node(broker).hosted(ORDERS);
                assertThat(records(hosted)).as("log of broker %d", broker).isEqualTo(records);
                assertThat(hosted.highWatermark())
                        .as("watermark of broker %d", broker)
                        .isEqualTo(led.highWatermark());
            }
        }

        private static Map<Long, String> records(HostedPartition partition) throws IOException {
            Map<Long, String> records = new TreeMap<>();
            ByteBuf bytes = partition
                    .log()
                    .read(partition.logStartOffset(), 10_000_000, partition.logEndOffset(), true)
                    .toByteBuf();
            for (RecordBatch batch : RecordBatches.of(bytes)) {
                for (LogRecord record : batch.records()) {
                    ByteBuf value = record.value();
                    records.put(record.offset(), value == null ? "" : value.toString(StandardCharsets.UTF_8));
                }
            }
            return records;
        }
    }
}
