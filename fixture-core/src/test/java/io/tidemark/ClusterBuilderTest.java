package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClusterBuilderTest {
    private final Cluster.Builder builder = Cluster.builder();

    @Test
    void refusesAClusterWithoutBrokers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.brokers(0))
                .withMessage("A cluster cannot have [0] brokers: ask for 1 to 100");
    }

    @Test
    void refusesAClusterWithoutControllers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.controllers(0))
                .withMessage("A cluster cannot have [0] controllers: ask for 1 to 9, best an odd number");
    }

    @Test
    void refusesMoreControllersOnBrokersThanThereAreBrokers() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> builder.brokers(2).controllers(3).combined(true).spec())
                .withMessage("A combined cluster cannot have [3] controllers on [2] brokers: ask for more brokers, or"
                        + " leave combined() out");
    }

    @Test
    void controllersAreNodesOfTheirOwnOrTheFirstBrokers() {
        assertThat(builder.brokers(4).controllers(3).spec().controllerIds()).containsExactly(1001, 1002, 1003);
        assertThat(builder.combined(true).spec().controllerIds()).containsExactly(1, 2, 3);
    }

    @Test
    void refusesListenersThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.listeners("EXTERNAL:SSL"))
                .withMessage(
                        "Listener [EXTERNAL:SSL] is more than a name: its address is the fixture's own to give, and"
                                + " its security protocol is PLAINTEXT; write the name alone, for example [EXTERNAL]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.listeners("plaintext"))
                .withMessage("Listener [plaintext] is there anyway: every broker has it; give the one that you need"
                        + " another name, for example [EXTERNAL]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.listeners("CONTROLLER"))
                .withMessageContaining("it is the controllers'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.listeners("EXTERNAL", "external"))
                .withMessage("Listener [EXTERNAL] is asked for twice: drop one, or give it another name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.listeners(""))
                .withMessageStartingWith("Listener [] has no legal name: begin with a letter");
    }

    @Test
    void featuresGoBeforeThoseOfTheConfig() {
        assertThat(builder.config("cluster.features", "group.version=0,transaction.version=2")
                        .feature("transaction.version", 1)
                        .spec()
                        .config())
                .containsEntry("cluster.features", "group.version=0,transaction.version=1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.feature("transaction.version", -1))
                .withMessage("Feature [transaction.version] cannot have the level [-1]: levels begin at 0");
    }

    @Test
    void refusesAConfigThatKafkaDoesNotKnowAndNamesTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.config("min.insync.replica", "2"))
                .withMessage("Config [min.insync.replica] is not a broker config of Apache Kafka; did you mean"
                        + " [min.insync.replicas]?");
    }

    @Test
    void refusesAConfigThatIsLikeNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.config("colour", "blue"))
                .withMessage("Config [colour] is not a broker config of Apache Kafka; look its name up in Kafka's"
                        + " documentation");
    }

    @Test
    void refusesAConfigValueOfTheWrongType() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.config("min.insync.replicas", "two"))
                .withMessageContaining("min.insync.replicas")
                .withMessageContaining("[two]");
    }

    @Test
    void refusesAConfigThatIsTheFixturesOwn() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.config("node.id", "7"))
                .withMessageStartingWith("Config [node.id] is the fixture's own to set");
    }

    @Test
    void refusesATopicConfigThatKafkaDoesNotKnow() {
        builder.topic("orders", topic -> topic.config("retention", "1000"));

        assertThatIllegalArgumentException()
                .isThrownBy(builder::start)
                .withMessageStartingWith("Config [retention] of topic [orders] is not a topic config of Apache Kafka");
    }

    @Test
    void refusesMoreReplicasThanBrokers() {
        builder.brokers(2).topic("orders", topic -> topic.replicationFactor(3));

        assertThatIllegalArgumentException()
                .isThrownBy(builder::start)
                .withMessage(
                        "Topic [orders] cannot have a replication factor of [3] in a cluster of 2 brokers: start at"
                                + " least 3 brokers or lower the replication factor");
    }

    @Test
    void refusesATopicWithoutPartitions() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.topic("orders", topic -> topic.partitions(0)))
                .withMessage("Topic [orders] cannot have [0] partitions: ask for 1 or more");
    }

    @Test
    void refusesAnIllegalTopicName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.topic("or ders"))
                .withMessageStartingWith("Topic name [or ders] is not legal");
    }

    @Test
    void refusesATopicThatIsDeclaredTwice() {
        builder.topic("orders").topic("orders");

        assertThatIllegalArgumentException()
                .isThrownBy(builder::start)
                .withMessage("Topic [orders] is declared twice: drop one, or give it another name");
    }

    @Test
    void refusesToStartInNoTime() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.startTimeout(Duration.ZERO))
                .withMessage("A cluster cannot start within [PT0S]: give it some seconds");
    }

    @Test
    void aConfigGoesBeforeTheFixturesDefault() {
        ClusterSpec spec =
                builder.config("group.initial.rebalance.delay.ms", "3000").spec();

        assertThat(spec.config()).containsEntry("group.initial.rebalance.delay.ms", "3000");
    }

    @Test
    void aSeedIsKept() {
        assertThat(builder.seed(42).spec().seed()).isEqualTo(42);
    }
}
