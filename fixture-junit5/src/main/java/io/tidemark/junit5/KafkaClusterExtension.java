package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.spi.InjectionPoint;
import io.tidemark.spi.ParameterProvider;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts the clusters that {@link KafkaCluster} declares, and injects them and what hangs on them. Has no state. */
final class KafkaClusterExtension
        implements BeforeAllCallback,
                TestInstancePostProcessor,
                BeforeEachCallback,
                ParameterResolver,
                TestExecutionExceptionHandler {
    private static final Namespace NAMESPACE = Namespace.create(KafkaClusterExtension.class);

    /** The instance is made for the test, so what its constructor and its fields get ends with the test. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Class<?> testClass = context.getRequiredTestClass();
        TestScope scope = scopeOf(context);
        AnnotationSupport.findAnnotation(testClass, KafkaCluster.class)
                .ifPresent(annotation ->
                        scope.declare(new ClusterDeclaration(annotation, "class " + testClass.getSimpleName())));
        ClusterFields.fillStatic(testClass, scope);
    }

    @Override
    public void postProcessTestInstance(Object testInstance, ExtensionContext context) {
        ClusterFields.fillInstance(testInstance, scopeOf(context));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        scopeOf(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameterContext, ExtensionContext context) {
        Parameter parameter = parameterContext.getParameter();
        if (parameter.getType() == Cluster.class
                || parameterContext.isAnnotated(BootstrapServers.class)
                || parameterContext.isAnnotated(Topic.class)) {
            return true;
        }
        InjectionPoint point = pointOf(parameterContext);
        return providers(context).stream().anyMatch(provider -> provider.supports(point));
    }

    @Override
    public Object resolveParameter(ParameterContext parameterContext, ExtensionContext context) {
        InjectionPoint point = pointOf(parameterContext);
        TestScope scope = scopeOf(context);
        try {
            if (point.rawType() == Cluster.class) {
                return scope.cluster();
            }
            if (parameterContext.isAnnotated(BootstrapServers.class)) {
                requireString(point, BootstrapServers.class);
                return scope.cluster().bootstrapServers();
            }
            Optional<Topic> topic = parameterContext.findAnnotation(Topic.class);
            if (topic.isPresent()) {
                requireString(point, Topic.class);
                return created(topic.get(), scope.cluster());
            }
            for (ParameterProvider provider : providers(context)) {
                if (provider.supports(point)) {
                    return provider.provide(point, scope);
                }
            }
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new ParameterResolutionException(e.getMessage(), e);
        }
        throw new ParameterResolutionException("Nothing provides " + point);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        try {
            TestScope scope = scopeOf(context);
            scope.clusterInReach()
                    .ifPresent(cluster -> failure.addSuppressed(new ClusterEvidence(cluster.describe()
                            + scope.sharedInReach().stream()
                                    .map(shared -> "\n" + shared)
                                    .collect(Collectors.joining()))));
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
        throw failure;
    }

    private static String created(Topic topic, Cluster cluster) {
        return topic.name().isEmpty()
                ? cluster.createTopic(ClusterDeclaration.settingsOf(topic))
                : cluster.createTopic(topic.name(), ClusterDeclaration.settingsOf(topic));
    }

    private static void requireString(InjectionPoint point, Class<?> annotation) {
        if (point.rawType() != String.class) {
            throw new IllegalArgumentException("Cannot inject " + point + ": @" + annotation.getSimpleName()
                    + " goes with a String, and its type is [" + point.type().getTypeName() + "]");
        }
    }

    private static InjectionPoint pointOf(ParameterContext context) {
        Parameter parameter = context.getParameter();
        String place = context.getDeclaringExecutable().getDeclaringClass().getSimpleName() + "."
                + context.getDeclaringExecutable().getName();
        return new InjectionPoint(
                parameter.getParameterizedType(),
                parameter.getType(),
                parameter,
                "parameter [" + parameter.getType().getSimpleName() + " " + parameter.getName() + "] of " + place);
    }

    /** The scope of exactly this class or test. A test's own cluster is started with its scope. */
    private static TestScope scopeOf(ExtensionContext context) {
        TestScope parent = context.getParent()
                .filter(above -> above.getTestClass().isPresent())
                .map(KafkaClusterExtension::parentScopeOf)
                .orElse(null);
        TestScope scope = ownScope(context, parent);
        context.getTestMethod().ifPresent(method -> AnnotationSupport.findAnnotation(method, KafkaCluster.class)
                .ifPresent(
                        annotation -> scope.declare(new ClusterDeclaration(annotation, "method " + method.getName()))));
        return scope;
    }

    /** As {@link #scopeOf}, but starts nothing: a template of tests has no cluster, each of its invocations has. */
    private static TestScope parentScopeOf(ExtensionContext context) {
        TestScope parent = context.getParent()
                .filter(above -> above.getTestClass().isPresent())
                .map(KafkaClusterExtension::parentScopeOf)
                .orElse(null);
        return ownScope(context, parent);
    }

    private static TestScope ownScope(ExtensionContext context, @Nullable TestScope parent) {
        // The id in the key, since a store also looks into the stores above it.
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(context.getUniqueId(), id -> new TestScope(parent), TestScope.class);
    }

    private static List<ParameterProvider> providers(ExtensionContext context) {
        Store store = context.getRoot().getStore(NAMESPACE);
        return store.getOrComputeIfAbsent(Providers.class, key -> Providers.load(), Providers.class)
                .all();
    }

    /** Every provider on the class path. */
    private record Providers(List<ParameterProvider> all) {
        static Providers load() {
            return new Providers(ServiceLoader.load(ParameterProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList());
        }
    }
}
