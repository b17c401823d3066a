package io.tidemark.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The broker that coordinates a consumer group dies; the group goes on where it was, and misses nothing. */
@KafkaCluster(brokers = 3, topics = @Topic(name = "shipments", partitions = 3, config = "min.insync.replicas=2"))
class ConsumerGroupSurvivesBrokerDeathIT {
    private static final String GROUP = "warehouse";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Set<String> handled = new TreeSet<>();

    @Test
    void theGroupGoesOnWhereItWas(Cluster cluster, Chaos chaos, Admin admin, Producer<String, String> producer)
            throws Exception {
        Story story = new Story("A consumer group survives the death of its coordinator");
        List<Consumer<String, String>> members = List.of(member(cluster), member(cluster));

        Set<String> shipped = ship(1, 30, producer);
        handle(members, shipped);
        story.tell("Two members hold the partitions " + partitionsOf(members) + " and have handled " + handled.size()
                + " shipments.");

        int dead = coordinator(admin);
        chaos.kill(dead);
        story.tell("Broker " + dead + ", the group's coordinator, is killed.");

        shipped.addAll(ship(31, 60, producer));
        handle(members, shipped);
        assertThat(handled).isEqualTo(shipped);
        story.tell("The group has handled " + handled.size() + " of " + shipped.size() + " shipments.");

        assertThat(committed(members.get(0))).isEqualTo(60);
        story.tell("Broker " + coordinator(admin) + " coordinates it now; its committed offsets add up to 60.")
                .end();
    }

    private static Consumer<String, String> member(Cluster cluster) {
        Consumer<String, String> member = cluster.clients()
                .consumer(String.class, String.class, Map.of("group.id", GROUP, "enable.auto.commit", "false"));
        member.subscribe(List.of("shipments"));
        return member;
    }

    private static Set<String> ship(int first, int last, Producer<String, String> producer) throws Exception {
        Set<String> shipped = new TreeSet<>();
        for (int i = first; i <= last; i++) {
            String shipment = "shipment-" + i;
            producer.send(new ProducerRecord<>("shipments", i % 3, shipment, ""))
                    .get();
            shipped.add(shipment);
        }
        return shipped;
    }

    /** Lets the members take turns until every shipment is handled and committed. */
    private void handle(List<Consumer<String, String>> members, Set<String> expected) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!(handled.containsAll(expected) && isShared(members)) && System.nanoTime() < deadline) {
            for (Consumer<String, String> member : members) {
                ConsumerRecords<String, String> records = member.poll(Duration.ofMillis(50));
                for (ConsumerRecord<String, String> shipment : records) {
                    handled.add(shipment.key());
                }
                if (!records.isEmpty()) {
                    member.commitSync();
                }
            }
        }
    }

    private static boolean isShared(List<Consumer<String, String>> members) {
        return members.stream().noneMatch(member -> member.assignment().isEmpty());
    }

    private static String partitionsOf(List<Consumer<String, String>> members) {
        return members.stream()
                .map(member -> new TreeSet<>(member.assignment().stream()
                                .map(TopicPartition::partition)
                                .toList())
                        .toString())
                .collect(Collectors.joining(" and "));
    }

    /** The sum of the group's committed offsets. */
    private static long committed(Consumer<String, String> member) {
        Set<TopicPartition> all = new HashSet<>();
        for (int partition = 0; partition < 3; partition++) {
            all.add(new TopicPartition("shipments", partition));
        }
        return member.committed(all).values().stream()
                .mapToLong(OffsetAndMetadata::offset)
                .sum();
    }

    private static int coordinator(Admin admin) throws Exception {
        return admin.describeConsumerGroups(List.of(GROUP))
                .describedGroups()
                .get(GROUP)
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .coordinator()
                .id();
    }
}
