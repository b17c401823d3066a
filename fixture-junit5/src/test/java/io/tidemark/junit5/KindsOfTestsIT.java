package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tidemark.Cluster;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of test that JUnit has may ask for a cluster. */
class KindsOfTestsIT {
    @Test
    void parameterizedTestsHaveOneEach() {
        InnerRun.of(Parameterized.class).passed(2);
    }

    static class Parameterized {
        private static String before = "";

        @ParameterizedTest
        @ValueSource(strings = {"a", "b"})
        @KafkaCluster
        void test(String value, Cluster cluster, @Topic String topic) {
            assertThat(value).isIn("a", "b");
            assertThat(cluster.topics()).containsExactly(topic);
            assertThat(cluster.clusterId()).isNotEqualTo(before);
            before = cluster.clusterId();
        }
    }

    @Test
    void dynamicTestsShareThatOfTheirFactory() {
        InnerRun.of(Factory.class).passed(2);
    }

    static class Factory {
        @TestFactory
        @KafkaCluster
        Stream<DynamicTest> tests(Cluster cluster) {
            return Stream.of("a", "b")
                    .map(name -> dynamicTest(
                            name, () -> assertThat(cluster.isClosed()).isFalse()));
        }
    }

    @Test
    void invocationsOfATemplateHaveOneEach() {
        InnerRun.of(Template.class).passed(2);
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class Template {
        private String before = "";

        @BeforeEach
        void before(Cluster cluster) {
            assertThat(cluster.clusterId()).isNotEqualTo(before);
        }

        @TestTemplate
        @ExtendWith(Twice.class)
        @KafkaCluster
        void test(Cluster cluster) {
            assertThat(cluster.isClosed()).isFalse();
        }

        @AfterEach
        void after(Cluster cluster) {
            before = cluster.clusterId();
        }
    }

    static final class Twice implements TestTemplateInvocationContextProvider {
        @Override
        public boolean supportsTestTemplate(ExtensionContext context) {
            return true;
        }

        @Override
        public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
            return Stream.of(new TestTemplateInvocationContext() {}, new TestTemplateInvocationContext() {});
        }
    }

    @Test
    void aSystemPropertyHoldsTheAddressWhileTheClusterRuns() {
        System.setProperty("kinds.address", "before");
        try {
            InnerRun.of(WithProperty.class).passed(2);

            assertThat(System.getProperty("kinds.address")).isEqualTo("before");
        } finally {
            System.clearProperty("kinds.address");
        }
    }

    @KafkaCluster(systemProperty = "kinds.address")
    static class WithProperty {
        @Test
        void ofTheClass(Cluster cluster) {
            assertThat(System.getProperty("kinds.address")).isEqualTo(cluster.bootstrapServers());
        }

        @Nested
        class OfTheTest {
            @Test
            @KafkaCluster(systemProperty = "kinds.address")
            void goesBeforeThatOfTheClass(Cluster cluster) {
                assertThat(List.of(System.getProperty("kinds.address"))).containsExactly(cluster.bootstrapServers());
            }
        }
    }
}
