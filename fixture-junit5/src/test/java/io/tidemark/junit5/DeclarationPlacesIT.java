package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tidemark.Cluster;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every place in which a cluster may be declared, met by every kind of test and of instance. */
class DeclarationPlacesIT {
    @Retention(RetentionPolicy.RUNTIME)
    @KafkaCluster(brokers = 2, topics = @Topic(name = "orders"))
    @interface OrdersCluster {}

    @Retention(RetentionPolicy.RUNTIME)
    @OrdersCluster
    @interface OrdersClusterByTwoSteps {}

    @Test
    void anAnnotationOfOnesOwnGoesWhereOursGoes() {
        InnerRun.of(MetaOnAClass.class, MetaElsewhere.class, MetaOnAMethod.class)
                .passed(4);
    }

    @OrdersClusterByTwoSteps
    static class MetaOnAClass {
        @Test
        void hasTheClustersOfBothSteps(Cluster cluster) {
            isOfTheMeta(cluster);
        }
    }

    static class MetaElsewhere {
        @OrdersCluster
        private Cluster field;

        @Test
        void onAField() {
            isOfTheMeta(field);
        }

        @Test
        void onAParameter(@OrdersCluster Cluster parameter) {
            isOfTheMeta(parameter);
            assertThat(parameter).isNotSameAs(field);
        }
    }

    static class MetaOnAMethod {
        @Test
        @OrdersCluster
        void onAMethod(Cluster cluster) {
            isOfTheMeta(cluster);
        }
    }

    private static void isOfTheMeta(Cluster cluster) {
        assertThat(cluster.brokers()).hasSize(2);
        assertThat(cluster.topics()).containsExactly("orders");
    }

    @Test
    void whatASuperclassOrAnInterfaceDeclaresIsInheritedAndASubclassGoesBefore() {
        InnerRun.of(InheritsAll.class, GoesBefore.class, OfAnInterface.class).passed(4);
    }

    @KafkaCluster(brokers = 2)
    abstract static class Parent {
        @KafkaCluster
        static Cluster ofTheParent;

        @KafkaCluster
        Cluster eachTests;

        @Test
        @KafkaCluster(brokers = 3, name = "methods")
        void inheritedWithItsOwn(@FromCluster("methods") Cluster own) {
            assertThat(own.brokers()).hasSize(3);
            assertThat(eachTests).isNotSameAs(ofTheParent);
        }
    }

    static class InheritsAll extends Parent {
        @Test
        void hasTheFieldsToo(@FromCluster("ofTheParent") Cluster ofTheParent, @FromCluster("eachTests") Cluster own) {
            assertThat(ofTheParent).isSameAs(Parent.ofTheParent);
            assertThat(own).isSameAs(eachTests);
        }
    }

    @KafkaCluster(brokers = 2)
    abstract static class TwoBrokers {}

    @KafkaCluster(brokers = 3)
    static class GoesBefore extends TwoBrokers {
        @Test
        void hasItsOwn(Cluster cluster) {
            assertThat(cluster.brokers()).hasSize(3);
        }
    }

    @KafkaCluster(brokers = 2)
    interface WithKafka {}

    static class OfAnInterface implements WithKafka {
        @Test
        void hasThatOfTheInterface(Cluster cluster) {
            assertThat(cluster.brokers()).hasSize(2);
        }
    }

    @Test
    void nestedClassesSeeWhatIsAroundThem() {
        InnerRun.of(Outermost.class).passed(4);
    }

    @KafkaCluster(name = "outer")
    static class Outermost {
        @KafkaCluster(brokers = 2)
        private Cluster field;

        @Nested
        class Middle {
            @Test
            void theFieldOfTheOuterInstanceIsThatOfThisTest(@FromCluster("field") Cluster injected, Cluster nearest) {
                assertThat(injected).isSameAs(field).isSameAs(nearest);
            }

            @Nested
            @KafkaCluster(brokers = 3)
            class Inner {
                @Test
                void goesBeforeAllAround(Cluster cluster, @FromCluster("outer") Cluster outer) {
                    assertThat(outer.brokers()).hasSize(1);
                    // The field belongs to the test, so that it is nearer than what belongs to a class.
                    assertThat(cluster).isSameAs(field);
                }

                @Test
                @KafkaCluster(name = "own")
                void aMethodsIsPickedByName(@FromCluster("own") Cluster own) {
                    assertThat(own).isNotSameAs(field);
                }
            }

            @Nested
            @TestInstance(TestInstance.Lifecycle.PER_CLASS)
            class PerClass {
                @KafkaCluster
                private Cluster ofTheNestedClass;

                @Test
                void hasItsOwn(@FromCluster("ofTheNestedClass") Cluster injected) {
                    assertThat(injected).isSameAs(ofTheNestedClass);
                }
            }
        }
    }

    @Test
    void everyKindOfTestSharesTheClustersOfItsClass() {
        InnerRun.of(AllKinds.class).passed(8);
    }

    @KafkaCluster(topics = @Topic(name = "orders"))
    static class AllKinds {
        private static String ofTheClass;

        @BeforeAll
        static void beforeAll(Cluster cluster) {
            ofTheClass = cluster.clusterId();
        }

        @BeforeEach
        void before(Cluster cluster) {
            same(cluster);
        }

        @Test
        void plain(Cluster cluster) {
            same(cluster);
        }

        @RepeatedTest(2)
        void repeated(Cluster cluster) {
            same(cluster);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void parameterized(int number, Cluster cluster, Producer<String, String> producer) throws Exception {
            assertThat(number).isPositive();
            producer.send(new ProducerRecord<>("orders", "value")).get();
            same(cluster);
        }

        @ParameterizedTest
        @CsvSource("placed,paid")
        void severalArguments(String first, String second, Cluster cluster) {
            assertThat(List.of(first, second)).containsExactly("placed", "paid");
            same(cluster);
        }

        @TestFactory
        Stream<DynamicTest> dynamic(Cluster cluster, Producer<String, String> producer) {
            // What the factory was given lasts until its last test is over.
            return Stream.of("a", "b")
                    .map(name -> dynamicTest(name, () -> {
                        producer.send(new ProducerRecord<>("orders", name)).get();
                        same(cluster);
                    }));
        }

        @AfterEach
        void after(Cluster cluster) {
            same(cluster);
        }

        private static void same(Cluster cluster) {
            assertThat(cluster.isClosed()).isFalse();
            assertThat(cluster.clusterId()).isEqualTo(ofTheClass);
        }
    }

    @Test
    void anInstancePerClassIsMetByEveryKindOfTest() {
        InnerRun.of(PerClassKinds.class).passed(5);
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class PerClassKinds {
        @KafkaCluster
        private Cluster field;

        @RegisterExtension
        final ClusterExtension coded = ClusterExtension.of(cluster -> cluster.brokers(2));

        @RepeatedTest(2)
        @KafkaCluster(name = "own")
        void repeated(@FromCluster("own") Cluster own, @FromCluster("field") Cluster injected) {
            assertThat(own).isNotSameAs(injected);
            assertThat(injected).isSameAs(field);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void parameterized(int number, @FromCluster("coded") Cluster injected) {
            assertThat(injected.brokers()).hasSize(2);
            assertThat(number).isPositive();
        }

        @TestFactory
        Stream<DynamicTest> dynamic(@FromCluster("field") Cluster injected) {
            return Stream.of(dynamicTest("a", () -> assertThat(injected).isSameAs(field)));
        }
    }

    @Test
    void aLifecycleMethodsParameterMayHaveItsOwn() {
        InnerRun.of(OnALifecycleParameter.class).passed(1);
    }

    static class OnALifecycleParameter {
        private Cluster own;

        @BeforeEach
        void before(@KafkaCluster(brokers = 2, name = "before") Cluster cluster) {
            own = cluster;
        }

        @Test
        void isThereForTheTest(@FromCluster("before") Cluster injected) {
            assertThat(injected).isSameAs(own);
        }
    }
}
