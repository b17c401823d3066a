package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Brokers come, go cleanly or not, are lost and heard of again, leaders propose ISRs, topics and limits change, all at
 * random; after each event, what a controller must keep is checked.
 */
class ControllerInvariantsTest {
    private static final int BROKERS = 5;
    private static final int EVENTS = 300;

    private final ControllerFixture fixture = new ControllerFixture();
    private final Map<Integer, Boolean> running = new LinkedHashMap<>();
    private final Map<String, int[]> lastEpochs = new LinkedHashMap<>();
    private int topics;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void keepsWhatAControllerMustKeep(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        List<String> story = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            story.add(happens(random));
            check("seed " + seed + ", the last of " + story.size() + " events: "
                    + story.subList(Math.max(0, story.size() - 5), story.size()));
        }
    }

    private String happens(RandomGenerator random) {
        int broker = 1 + random.nextInt(BROKERS);
        fixture.nowMs += random.nextInt(2_000);
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> start(broker, random.nextBoolean());
            case 3 -> stop(broker);
            case 4, 5 -> kill(broker);
            case 6 -> timePasses();
            case 7, 8 -> proposeIsr(random);
            case 9 -> createTopic(random);
            case 10 -> changeLimits(random);
            default -> random.nextInt(8) == 0 ? deleteTopic(random) : heartbeats();
        };
    }

    private String start(int broker, boolean clean) {
        if (running.getOrDefault(broker, false)) {
            return heartbeats();
        }
        long previous = clean ? fixture.image().cluster().brokerEpoch(broker) : -1;
        if (fixture.register(broker, previous).errorCode() == 0) {
            fixture.heartbeat(broker);
            running.put(broker, true);
        }
        return "broker " + broker + " starts " + (clean ? "after a clean stop" : "after an unclean stop");
    }

    private String stop(int broker) {
        if (running.getOrDefault(broker, false)) {
            for (int i = 0; i < 3; i++) {
                heartbeats();
                if (fixture.heartbeat(broker, fixture.image().lastOffset(), true)
                        .shouldShutDown()) {
                    break;
                }
            }
            running.put(broker, false);
        }
        return "broker " + broker + " stops";
    }

    private String kill(int broker) {
        running.put(broker, false);
        return "broker " + broker + " is killed";
    }

    private String heartbeats() {
        running.forEach((broker, runs) -> {
            BrokerRegistration registration = fixture.image().cluster().broker(broker);
            if (runs && registration != null && !registration.inControlledShutdown()) {
                fixture.heartbeat(broker);
            }
        });
        return "heartbeats";
    }

    private String timePasses() {
        Integer[] alive = running.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toArray(Integer[]::new);
        fixture.loseAllBut(alive);
        return "a session's time passes";
    }

    private String proposeIsr(RandomGenerator random) {
        for (TopicImage topic : fixture.image().topics().byName().values()) {
            PartitionRegistration partition = topic.partition(0);
            if (partition != null && partition.hasLeader()) {
                List<Integer> isr = new ArrayList<>();
                for (int replica : partition.replicas()) {
                    if (replica == partition.leader() || random.nextBoolean()) {
                        isr.add(replica);
                    }
                }
                fixture.proposeIsr(topic.name(), partition.leader(), isr);
            }
        }
        return "leaders propose ISRs";
    }

    private String createTopic(RandomGenerator random) {
        fixture.create(topic("t" + topics++, 1 + random.nextInt(2), 1 + random.nextInt(4)));
        return "a topic is created";
    }

    private String deleteTopic(RandomGenerator random) {
        List<String> names = new ArrayList<>(fixture.image().topics().byName().keySet());
        if (!names.isEmpty()) {
            fixture.commit(fixture.controller.deleteTopics(
                    new DeleteTopicsRequest().setTopicNames(List.of(names.get(random.nextInt(names.size()))))));
        }
        return "a topic is deleted";
    }

    private String changeLimits(RandomGenerator random) {
        for (String topic : fixture.image().topics().byName().keySet()) {
            if (random.nextInt(3) == 0) {
                IncrementalAlterConfigsRequest.AlterConfigsResource resource =
                        new IncrementalAlterConfigsRequest.AlterConfigsResource()
                                .setResourceType(ConfigResource.TOPIC)
                                .setResourceName(topic);
                resource.configs()
                        .add(new IncrementalAlterConfigsRequest.AlterableConfig()
                                .setName("min.insync.replicas")
                                .setValue(Integer.toString(1 + random.nextInt(3))));
                fixture.commit(fixture.controller.alterConfigs(
                        new IncrementalAlterConfigsRequest().setResources(List.of(resource))));
            }
        }
        return "min.insync.replicas changes";
    }

    private void check(String when) {
        EffectiveConfigs configs =
                new EffectiveConfigs(1001, io.tidemark.broker.config.BrokerConfigs.DEFINITION.defaults());
        for (TopicImage topic : fixture.image().topics().byName().values()) {
            topic.partitions().forEach((number, partition) -> {
                String where = topic.name() + "-" + number + " " + partition + " after " + when;
                check(partition, configs.minInsyncReplicas(fixture.image(), topic.name()), where);
                checkEpochs(topic.id(), number, partition, where);
            });
        }
    }

    private void check(PartitionRegistration partition, int minInsyncReplicas, String where) {
        List<Integer> isr = partition.isr();
        List<Integer> elr = partition.elr();
        assertThat(partition.replicas()).as(where).containsAll(isr).containsAll(elr);
        assertThat(Collections.disjoint(isr, elr))
                .as("ISR and ELR do not meet: " + where)
                .isTrue();
        assertThat(isr).as(where).doesNotHaveDuplicates();
        for (int member : isr) {
            assertThat(fixture.image().cluster().isActive(member))
                    .as("broker " + member + " of the ISR is alive: " + where)
                    .isTrue();
        }
        if (isr.size() >= Math.min(minInsyncReplicas, partition.replicas().size())) {
            assertThat(elr).as("a large ISR empties the ELR: " + where).isEmpty();
        }
        if (partition.hasLeader()) {
            assertThat(isr).as("the leader is in the ISR: " + where).contains(partition.leader());
        } else {
            assertThat(isr)
                    .as("nobody leads only where nobody is in sync: " + where)
                    .isEmpty();
        }
    }

    private void checkEpochs(Uuid topicId, int number, PartitionRegistration partition, String where) {
        int[] before =
                lastEpochs.put(topicId + "-" + number, new int[] {partition.leaderEpoch(), partition.partitionEpoch()});
        if (before != null) {
            assertThat(partition.leaderEpoch()).as(where).isGreaterThanOrEqualTo(before[0]);
            assertThat(partition.partitionEpoch()).as(where).isGreaterThanOrEqualTo(before[1]);
        }
    }
}
