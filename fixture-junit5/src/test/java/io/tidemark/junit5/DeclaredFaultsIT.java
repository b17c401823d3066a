package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.NodeState;
import io.tidemark.chaos.Chaos;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A test whose fault never struck has shown nothing, so that it fails although it came to its end. */
class DeclaredFaultsIT {
    @Test
    void oneThatNeverStruckFailsTheTestAndIsNamed() {
        Throwable failure = InnerRun.of(Vain.class).failure();

        assertThat(failure)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("A fault never struck, so the test has shown nothing about it:\n"
                        + "  hold: END_TXN transactional id payments struck nothing")
                .hasMessageContaining("PRODUCE topic orders struck once")
                .hasMessageContaining("Say maybe() of a fault that need not strike");
    }

    @KafkaCluster(topics = @Topic(name = "orders"))
    static class Vain {
        @Test
        void sends(Chaos chaos, Producer<String, String> producer) throws Exception {
            chaos.requests().on("PRODUCE").topic("orders").delay(Duration.ofMillis(1));
            chaos.requests().on("END_TXN").transactionalId("payments").hold();
            producer.send(new ProducerRecord<>("orders", "value")).get();
        }
    }

    @Test
    void oneThatMayMissDoesNot() {
        InnerRun.of(Excused.class).passed(2);
    }

    static class Excused {
        @Test
        @KafkaCluster
        void ofChaos(Chaos chaos) {
            chaos.requests().on("END_TXN").hold();
            chaos.maybe();
        }

        @Test
        @KafkaCluster(brokers = 2)
        void ofTheFault(Chaos chaos) {
            chaos.requests().on("END_TXN").hold().maybe();
            chaos.cut(1, 2).maybe();
        }
    }

    @Test
    void oneThatNeverStruckKeepsNoOtherFromBeingHealed() {
        InnerRun.of(TwoClusters.class).failedAt("first", "FETCH from [nobody] struck nothing");
    }

    @KafkaCluster(name = "europe", brokers = 2)
    @KafkaCluster(name = "asia", brokers = 2)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class TwoClusters {
        @Test
        void first(@FromCluster("europe") Chaos here, @FromCluster("asia") Chaos there) {
            for (Chaos chaos : List.of(here, there)) {
                chaos.requests().fromClient("nobody").on("FETCH").hold();
                chaos.pause(1);
            }
        }

        @Test
        void second(@FromCluster("europe") Cluster here, @FromCluster("asia") Cluster there) {
            assertThat(here.broker(1).state()).isEqualTo(NodeState.RUNNING);
            assertThat(there.broker(1).state()).isEqualTo(NodeState.RUNNING);
        }
    }

    @Test
    void aClusterThatIsSharedByItsClassFailsTheTestThatDeclared() {
        InnerRun.of(OfItsClass.class).failedAt("declares", "hold: JOIN_GROUP struck nothing");
    }

    @KafkaCluster
    static class OfItsClass {
        @Test
        void declares(Chaos chaos) {
            chaos.requests().on("JOIN_GROUP").hold();
        }

        @Test
        void another(Chaos chaos) {
            assertThat(chaos.declared()).isEmpty();
        }
    }
}
