package io.tidemark.junit5;

import io.tidemark.spi.InjectionPoint;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.opentest4j.TestAbortedException;

/**
 * Starts the clusters that are declared, and injects them and what hangs on them. Has no state. There may be several of
 * it around one test, by {@link KafkaCluster} and by {@link ClusterExtension}: each does what is not done yet, and the
 * first one resolves the parameters for all.
 */
final class KafkaClusterExtension
        implements BeforeAllCallback,
                TestInstancePostProcessor,
                BeforeEachCallback,
                ParameterResolver,
                TestExecutionExceptionHandler {
    private static final Namespace NAMESPACE = Namespace.create(KafkaClusterExtension.class);
    private static final String RESOLVER = "resolver";

    /** The instance is made for the test, so what its constructor and its fields get ends with the test. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        isInCharge(context);
        scopeOf(context);
    }

    @Override
    public void postProcessTestInstance(Object testInstance, ExtensionContext context) {
        TestScope scope = scopeOf(context);
        if (scope.isFirst(testInstance)) {
            new TestFields(injection(context)).fillInstance(testInstance, scope);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        scopeOf(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameterContext, ExtensionContext context) {
        if (!isInCharge(context)) {
            return false;
        }
        InjectionPoint point = pointOf(parameterContext);
        if (Injection.askedBy(point) != null || isDeclaration(point)) {
            return true;
        }
        Injection injection = injection(context);
        if (Injection.isSomebodyElses(point) || !injection.supports(point)) {
            return false;
        }
        // A type of ours is nobody else's. One of Kafka's may be, where there is no cluster.
        return point.rawType().getName().startsWith("io.tidemark.")
                || scopeOf(context).hasCluster();
    }

    @Override
    public Object resolveParameter(ParameterContext parameterContext, ExtensionContext context) {
        InjectionPoint point = pointOf(parameterContext);
        TestScope scope = scopeOf(context);
        try {
            Injection.refuseSeveral(point);
            return isDeclaration(point)
                    ? scope.declare(Declarations.ofParameter(parameterContext.getParameter())
                            .get(0))
                    : injection(context).valueOf(point, scope);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new ParameterResolutionException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        boolean isFailure = !(failure instanceof TestAbortedException);
        if (isFailure && isInCharge(context)) {
            FailureEvidence.keep(context, plainScopeOf(context), failure);
        }
        throw failure;
    }

    private static boolean isDeclaration(InjectionPoint point) {
        return !point.allOf(KafkaCluster.class).isEmpty();
    }

    private static InjectionPoint pointOf(ParameterContext context) {
        Parameter parameter = context.getParameter();
        return new InjectionPoint(
                parameter.getParameterizedType(), parameter.getType(), parameter, Declarations.placeOf(parameter));
    }

    /** True for one extension around a test: JUnit wants one resolver for each parameter. */
    private boolean isInCharge(ExtensionContext context) {
        return context.getStore(NAMESPACE).getOrComputeIfAbsent(RESOLVER, key -> this) == this;
    }

    /**
     * The scope of exactly this class or test. Its own clusters are started with it: those of a class may be wanted before
     * its beforeAll, by an instance that all its tests share.
     */
    private static TestScope scopeOf(ExtensionContext context) {
        TestScope scope = plainScopeOf(context);
        Method method = context.getTestMethod().orElse(null);
        if (method != null && scope.isFirst(method)) {
            startForTest(context, method, scope);
        }
        if (method == null && scope.isFirst(context.getRequiredTestClass())) {
            Declarations.ofClass(context.getRequiredTestClass()).forEach(scope::declare);
            new TestFields(injection(context)).fillStatic(context.getRequiredTestClass(), scope);
        }
        return scope;
    }

    private static void startForTest(ExtensionContext context, Method method, TestScope scope) {
        Combination chosen = context.getStore(NAMESPACE).get(Combination.class, Combination.class);
        if (chosen == null) {
            Declarations.ofMethod(method).forEach(scope::declare);
            return;
        }
        scope.clientSettings(chosen.clientSettings(context.getRequiredTestClass()));
        for (ClusterDeclaration declaration : chosen.applyTo(context.getRequiredTestClass())) {
            chosen.requireServed(scope.declare(declaration));
        }
    }

    /** As {@link #scopeOf}, but starts nothing: a template of tests has no cluster, each of its invocations has. */
    private static TestScope plainScopeOf(ExtensionContext context) {
        @Nullable
        TestScope parent = context.getParent()
                .filter(above -> above.getTestClass().isPresent())
                .map(KafkaClusterExtension::plainScopeOf)
                .orElse(null);
        Run run = runOf(context);
        // The id in the key, since a store also looks into the stores above it.
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(context.getUniqueId(), id -> new TestScope(parent, run), TestScope.class);
    }

    static Run runOf(ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(Run.class, key -> new Run(), Run.class);
    }

    /** Has a test run with one combination of its matrix. */
    static void choose(Combination combination, ExtensionContext context) {
        context.getStore(NAMESPACE).put(Combination.class, combination);
    }

    private static Injection injection(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(Injection.class, key -> Injection.load(), Injection.class);
    }
}
