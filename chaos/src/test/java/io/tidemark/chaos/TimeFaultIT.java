package io.tidemark.chaos;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.PartitionHandle;
import io.tidemark.TimelineEvent.Kind;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.requests.RequestFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time that passes at once: what was due by then strikes, and all goes on. */
@Timeout(120)
class TimeFaultIT extends ThreeBrokers {
    private PartitionHandle partition(String... configs) {
        String topic = cluster.createTopic(settings -> {
            settings.replicas(0, 1, 2, 3);
            for (int i = 0; i < configs.length; i += 2) {
                settings.config(configs[i], configs[i + 1]);
            }
        });
        return cluster.partition(topic, 0);
    }

    private Producer<String, String> producer() {
        return cluster.clients().producer(String.class, String.class);
    }

    private static RecordMetadata send(Producer<String, String> producer, PartitionHandle to) throws Exception {
        return done(send(producer, to.topic()));
    }

    private long read(PartitionHandle from) {
        TopicPartition partition = new TopicPartition(from.topic(), 0);
        try (Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class)) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            return consumer.poll(SOON).count();
        }
    }

    @Test
    void theSessionOfAMemberEndsAndItJoinsAgain() {
        PartitionHandle orders = partition();
        Consumer<String, String> member = cluster.clients()
                .consumer(String.class, String.class, Map.of("group.id", "dozing", "heartbeat.interval.ms", "100"));
        member.subscribe(List.of(orders.topic()));
        await("an assignment").atMost(SOON).until(() -> {
            member.poll(Duration.ofMillis(50));
            return !member.assignment().isEmpty();
        });
        int generation = member.groupMetadata().generationId();
        try (Chaos chaos = Chaos.on(cluster)) {
            // One that comes in right after the push would count as heard of in time.
            chaos.requests().on(ApiKey.HEARTBEAT).group("dozing").hold().awaitStruck(SOON);

            cluster.clock().advance(Duration.ofMinutes(1));

            await("nobody is a member")
                    .atMost(SOON)
                    .until(() -> cluster.group("dozing").snapshot().members().isEmpty());
        }
        await("a new membership").atMost(SOON).until(() -> {
            member.poll(Duration.ofMillis(50));
            return member.groupMetadata().generationId() > generation
                    && !member.assignment().isEmpty();
        });
        assertThat(cluster.group("dozing").snapshot().members()).hasSize(1);
        member.close();
    }

    /** Nobody alive had the time to be heard of meanwhile, so nobody's session ends by it. */
    @Test
    void noBrokerThatLivesIsTakenForDead() throws Exception {
        PartitionHandle orders = partition();
        Producer<String, String> producer = producer();
        send(producer, orders);
        long fencedBefore = fencings();

        cluster.clock().advance(Duration.ofMinutes(1));

        assertThat(send(producer, orders).offset()).isEqualTo(1);
        cluster.createTopic(topic -> {});
        assertThat(orders).hasLeader(1).hasLeaderEpoch(0).hasIsr(1, 2, 3);
        assertThat(fencings()).isEqualTo(fencedBefore);
    }

    private long fencings() {
        return cluster.timeline().stream()
                .filter(event -> event.kind() == Kind.BROKER && event.text().startsWith("fenced"))
                .count();
    }

    @Test
    void aFollowerThatLagsFallsOutOfTheIsrAtOnceAndCatchesUp() throws Exception {
        PartitionHandle orders = partition();
        Producer<String, String> producer = producer();
        send(producer, orders);
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault stall =
                    chaos.replicationOf(3).partition(orders.topic(), 0).stall();
            var sent = producer.send(new ProducerRecord<>(orders.topic(), 0, "key", "value"));
            stall.awaitStruck(SOON);

            cluster.clock().advance(Duration.ofSeconds(31));

            assertThat(sent.get(10, TimeUnit.SECONDS).offset()).isEqualTo(1);
            assertThat(orders).eventually().hasIsr(1, 2).hasHighWatermark(2);
            assertThat(orders).hasLogEndOffset(3, 1);
            stall.heal();
            assertThat(orders).eventually().hasIsr(1, 2, 3).hasLogEndOffset(3, 2);
        }
    }

    @Test
    void aSegmentIsOldAndTheNextRecordBeginsAnother() throws Exception {
        PartitionHandle orders = partition("segment.ms", "3600000", "message.timestamp.type", "LogAppendTime");
        Producer<String, String> producer = producer();
        send(producer, orders);
        send(producer, orders);
        assertThat(orders.segments(1)).hasSegments(1);

        cluster.clock().advance(Duration.ofHours(2));
        send(producer, orders);

        assertThat(orders.segments(1)).hasSegments(2);
        assertThat(read(orders)).isPositive();
        send(producer, orders);
        assertThat(orders.segments(1)).as("the new one is young").hasSegments(2);
    }

    @Test
    void whatIsOlderThanTheRetentionIsGoneAndTheRestIsRead() throws Exception {
        PartitionHandle orders = partition("message.timestamp.type", "LogAppendTime");
        Producer<String, String> producer = producer();
        send(producer, orders);
        send(producer, orders);

        cluster.clock().advance(Duration.ofDays(8));

        assertThat(orders).eventually().hasLogStartOffset(2);
        assertThat(send(producer, orders).offset()).isEqualTo(2);
        assertThat(read(orders)).isEqualTo(1);
        assertThat(orders).hasLogStartOffset(2);
    }

    @Test
    void aProducerThatIsSilentIsForgottenAndGoesOnAllTheSame() throws Exception {
        PartitionHandle orders = partition();
        Producer<String, String> producer = producer();
        send(producer, orders);
        assertThat(orders.producers()).hasSize(1);

        cluster.clock().advance(Duration.ofHours(25));

        await("nobody is remembered").atMost(SOON).until(() -> orders.producers()
                .isEmpty());
        assertThat(send(producer, orders).offset()).isEqualTo(1);
        assertThat(orders.producers()).hasSize(1);
    }

    @Test
    void thereAreNoDelegationTokensThatCouldExpire() {
        assertThat(cluster.serves(38)).as("CreateDelegationToken").isFalse();
        assertThatThrownBy(() -> cluster.clients()
                        .admin()
                        .createDelegationToken()
                        .delegationToken()
                        .get(SOON.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(UnsupportedVersionException.class);
    }
}
