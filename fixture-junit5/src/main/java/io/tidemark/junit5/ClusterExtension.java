package io.tidemark.junit5;

import io.tidemark.Cluster;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;

/**
 * {@link KafkaCluster} in code: for a field with {@link RegisterExtension}, with all that {@link Cluster.Builder} can do.
 * In a static field it is one cluster for the class, in an instance field one for each test. Parameters and fields are
 * filled as they are with the annotation; its name is the field's, unless it gets another.
 *
 * <pre>{@code
 * class OrdersTest {
 *     @RegisterExtension
 *     static final ClusterExtension KAFKA =
 *             ClusterExtension.of(cluster -> cluster.brokers(3).topic("orders", topic -> topic.partitions(6)));
 *
 *     @Test
 *     void ordersAreKept(Cluster cluster, Producer<String, String> producer) {}
 * }
 * }</pre>
 */
public final class ClusterExtension
        implements BeforeAllCallback,
                TestInstancePostProcessor,
                BeforeEachCallback,
                ParameterResolver,
                TestExecutionExceptionHandler {
    private final KafkaClusterExtension work = new KafkaClusterExtension();
    private final String name;
    private final String systemProperty;
    private final boolean shared;
    private final Consumer<Cluster.Builder> settings;

    private ClusterExtension(String name, String systemProperty, boolean shared, Consumer<Cluster.Builder> settings) {
        this.name = name;
        this.shared = shared;
        this.systemProperty = systemProperty;
        this.settings = settings;
    }

    /** A cluster of one broker, told otherwise by the settings; they are asked again for each cluster. */
    public static ClusterExtension of(Consumer<Cluster.Builder> settings) {
        return new ClusterExtension("", "", false, settings);
    }

    /** The same under a name for {@link FromCluster}. */
    public ClusterExtension named(String newName) {
        return new ClusterExtension(newName, systemProperty, shared, settings);
    }

    /** The same with its address in a system property while it runs, as {@link KafkaCluster#systemProperty()} has it. */
    public ClusterExtension systemProperty(String property) {
        return new ClusterExtension(name, property, shared, settings);
    }

    /** The same, and tests that ask for an equal cluster may have it after this one: {@link KafkaCluster#shared()}. */
    public ClusterExtension shared() {
        return new ClusterExtension(name, systemProperty, true, settings);
    }

    ClusterDeclaration declaration(String place, String fieldName) {
        return new ClusterDeclaration(
                name.isEmpty() ? fieldName : name,
                "ClusterExtension in " + place,
                systemProperty,
                shared,
                false,
                settings);
    }

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        work.beforeAll(context);
        context.getTestInstance().ifPresent(instance -> work.postProcessTestInstance(instance, context));
    }

    @Override
    public void postProcessTestInstance(Object testInstance, ExtensionContext context) {
        work.postProcessTestInstance(testInstance, context);
    }

    /** In an instance field it is registered after the instance was processed, so that it does that itself. */
    @Override
    public void beforeEach(ExtensionContext context) {
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            work.postProcessTestInstance(instance, context);
        }
        work.beforeEach(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameterContext, ExtensionContext context) {
        return work.supportsParameter(parameterContext, context);
    }

    @Override
    public Object resolveParameter(ParameterContext parameterContext, ExtensionContext context) {
        return work.resolveParameter(parameterContext, context);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        work.handleTestExecutionException(context, failure);
    }
}
