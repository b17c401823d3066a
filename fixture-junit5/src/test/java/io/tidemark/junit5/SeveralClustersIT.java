package io.tidemark.junit5;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.TopicHandle;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where clusters may be declared, several at once, and whose parameters are whose. */
class SeveralClustersIT {
    @Test
    void namesTellClustersOfOnePlaceApart() {
        InnerRun.of(Named.class).passed(1);
    }

    @KafkaCluster(name = "europe", topics = @Topic(name = "orders"))
    @KafkaCluster(name = "asia", brokers = 2)
    static class Named {
        @FromCluster("asia")
        private Cluster asia;

        @Test
        void arePickedByName(
                @FromCluster("europe") Cluster europe,
                @FromCluster("europe") Producer<String, String> producer,
                @FromCluster("asia") @BootstrapServers String address,
                @FromCluster("asia") @Topic TopicHandle topic)
                throws Exception {
            producer.send(new ProducerRecord<>("orders", "value")).get();

            assertThat(europe.partition("orders", 0)).hasHighWatermark(1);
            assertThat(address).isEqualTo(asia.bootstrapServers()).isNotEqualTo(europe.bootstrapServers());
            assertThat(asia.topics()).containsExactly(topic.name());
        }
    }

    @Test
    void aParameterMayHaveItsOwn() {
        InnerRun.of(OnParameters.class).passed(3);
    }

    @KafkaCluster(
            racks = {"a", "b"},
            brokers = 2)
    static class OnParameters {
        OnParameters(@KafkaCluster(name = "fourth") Cluster own) {
            assertThat(own.brokers()).hasSize(1);
        }

        @Test
        void ofTheTest(Cluster ofTheClass, @KafkaCluster(brokers = 3) Cluster own, Admin admin) throws Exception {
            assertThat(ofTheClass.brokers()).hasSize(2);
            assertThat(own.brokers()).hasSize(3);
            assertThat(admin.describeCluster().clusterId().get()).isEqualTo(ofTheClass.clusterId());
        }

        @Test
        void withAName(@KafkaCluster(name = "own") Cluster own, @FromCluster("own") @BootstrapServers String address) {
            assertThat(address).isEqualTo(own.bootstrapServers());
        }

        @Test
        void ofTheConstructor(@FromCluster("fourth") Cluster own) {
            assertThat(own.brokers()).hasSize(1);
        }
    }

    @Test
    void anAnnotationOfOnesOwnMayCarryIt() {
        InnerRun.of(WithMeta.class).passed(1);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @KafkaCluster(brokers = 2, name = "big")
    @interface BigCluster {}

    @Retention(RetentionPolicy.RUNTIME)
    @FromCluster("big")
    @interface Big {}

    static class WithMeta {
        @Test
        @BigCluster
        void hasTwoBrokers(@Big Cluster cluster) {
            assertThat(cluster.brokers()).hasSize(2);
        }
    }

    @Test
    void anExtensionInAFieldDoesTheSame() {
        InnerRun.of(WithExtensions.class).passed(2);
    }

    static class WithExtensions {
        @RegisterExtension
        static final ClusterExtension FOR_THE_CLASS =
                ClusterExtension.of(cluster -> cluster.topic("orders", topic -> topic.partitions(2)));

        private static String ofTheClass = "";

        @RegisterExtension
        final ClusterExtension forTheTest =
                ClusterExtension.of(cluster -> cluster.brokers(2)).named("second");

        @FromCluster("FOR_THE_CLASS")
        private static Producer<String, String> producer;

        @Test
        void first(@FromCluster("FOR_THE_CLASS") Cluster outer, Cluster nearest) throws Exception {
            both(outer, nearest);
        }

        @Test
        void second(@FromCluster("FOR_THE_CLASS") Cluster outer, @FromCluster("second") Cluster nearest)
                throws Exception {
            both(outer, nearest);
        }

        private static void both(Cluster outer, Cluster nearest) throws Exception {
            assertThat(nearest.brokers()).hasSize(2);
            assertThat(outer.brokers()).hasSize(1);
            assertThat(outer.clusterId()).isIn(List.of(ofTheClass, outer.clusterId()));
            assertThat(ofTheClass.isEmpty() || ofTheClass.equals(outer.clusterId()))
                    .isTrue();
            ofTheClass = outer.clusterId();
            producer.send(new ProducerRecord<>("orders", 1, "key", "value")).get();
        }
    }

    @Test
    void anExtensionAndAnAnnotationGoTogether() {
        InnerRun.of(BothKinds.class).passed(3);
    }

    @KafkaCluster(name = "annotated")
    static class BothKinds {
        @RegisterExtension
        static final ClusterExtension CODED = ClusterExtension.of(cluster -> cluster.brokers(2));

        @Test
        void byName(@FromCluster("CODED") Cluster coded, @FromCluster("annotated") Cluster annotated) {
            assertThat(coded.brokers()).hasSize(2);
            assertThat(annotated.brokers()).hasSize(1);
        }

        @Nested
        @KafkaCluster(brokers = 3)
        class Inner {
            @Test
            void nearest(Cluster cluster) {
                assertThat(cluster.brokers()).hasSize(3);
            }

            @Test
            void outer(@FromCluster("CODED") Cluster coded) {
                assertThat(coded.brokers()).hasSize(2);
            }
        }
    }

    @Test
    void anExtensionInAnInstancePerClassIsOneForTheClass() {
        InnerRun.of(PerClassExtension.class).passed(2);
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class PerClassExtension {
        @RegisterExtension
        final ClusterExtension kafka = ClusterExtension.of(cluster -> {});

        private Cluster cluster;
        private String seen = "";

        @Test
        void first(Cluster injected) {
            same(injected);
        }

        @Test
        void second(Cluster injected) {
            same(injected);
        }

        private void same(Cluster injected) {
            assertThat(injected).isSameAs(cluster);
            assertThat(seen.isEmpty() || seen.equals(injected.clusterId())).isTrue();
            seen = injected.clusterId();
        }
    }

    @Test
    void whatAnotherExtensionResolvesIsNotTaken() {
        InnerRun.of(WithAnotherExtension.class).passed(2);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Theirs {}

    /** Resolves what has its annotation, and every Admin where there is no cluster. */
    static final class AnotherExtension implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.isAnnotated(Theirs.class)
                    || parameter.getParameter().getType() == Map.class
                    || context.getRequiredTestMethod().getName().equals("withoutACluster")
                            && parameter.getParameter().getType() == Admin.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Map.class
                    ? Map.of()
                    : java.lang.reflect.Proxy.newProxyInstance(
                            getClass().getClassLoader(),
                            new Class<?>[] {parameter.getParameter().getType()},
                            (proxy, method, arguments) -> null);
        }
    }

    @ExtendWith(AnotherExtension.class)
    static class WithAnotherExtension {
        @Theirs
        private Producer<String, String> theirs;

        @Test
        @KafkaCluster
        void withTheirAnnotation(
                @Theirs Producer<String, String> producer, Map<String, String> map, Producer<String, String> ours) {
            assertThat(theirs).isNull();
            assertThat(map).isEmpty();
            assertThat(java.lang.reflect.Proxy.isProxyClass(producer.getClass()))
                    .isTrue();
            assertThat(java.lang.reflect.Proxy.isProxyClass(ours.getClass())).isFalse();
        }

        @Test
        void withoutACluster(Admin admin) {
            assertThat(java.lang.reflect.Proxy.isProxyClass(admin.getClass())).isTrue();
        }
    }
}
