package io.tidemark.junit5;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs a {@link ClusterMatrix} test once with each combination. Has no state. */
final class MatrixInvocations implements TestTemplateInvocationContextProvider {
    private static final int NEWEST_TRANSACTION_VERSION = 2;

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getTestMethod()
                .filter(method -> AnnotationSupport.isAnnotated(method, ClusterMatrix.class))
                .isPresent();
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        ClusterMatrix matrix =
                AnnotationSupport.findAnnotation(method, ClusterMatrix.class).orElseThrow();
        if (AnnotationSupport.isAnnotated(method, Test.class)) {
            throw new ExtensionConfigurationException(
                    "@ClusterMatrix on method " + method.getName()
                            + ": it makes the method a test by itself; drop @Test, which runs it once more without a combination");
        }
        List<Combination> all = combinations(matrix, method);
        if (all.isEmpty()) {
            throw new ExtensionConfigurationException("@ClusterMatrix on method " + method.getName()
                    + ": no combination is left; give each of brokers(), controllers(), combined(), configs() and"
                    + " clientConfigs() a value, and as many brokers as combined controllers");
        }
        ClassLoader classPath = context.getRequiredTestClass().getClassLoader();
        return all.stream()
                .map(combination ->
                        new Invocation(combination, combination.client().isAnotherThanIn(classPath)));
    }

    private static List<OptionalInt> transactionVersions(ClusterMatrix matrix, Method method) {
        for (int version : matrix.transactionVersions()) {
            if (version < 0 || version > NEWEST_TRANSACTION_VERSION) {
                throw new ExtensionConfigurationException("@ClusterMatrix on method " + method.getName()
                        + ": transactionVersions() has [" + version + "]; Kafka has 0 to "
                        + NEWEST_TRANSACTION_VERSION);
            }
        }
        return matrix.transactionVersions().length == 0
                ? List.of(OptionalInt.empty())
                : Arrays.stream(matrix.transactionVersions())
                        .mapToObj(OptionalInt::of)
                        .toList();
    }

    private static List<ClientVersion> clientVersions(ClusterMatrix matrix, Method method) {
        List<ClientVersion> versions = new ArrayList<>();
        for (String text : matrix.clients()) {
            ClientVersion version = new ClientVersion(text);
            if (!ClientVersion.isOne(text)) {
                throw new ExtensionConfigurationException("@ClusterMatrix on method " + method.getName()
                        + ": clients() has [" + text + "], which is no version of kafka-clients; write it as its jar"
                        + " has it, for example [3.9.2]");
            }
            if (versions.contains(version)) {
                throw new ExtensionConfigurationException("@ClusterMatrix on method " + method.getName()
                        + ": clients() has [" + text + "] twice; drop one of them");
            }
            versions.add(version);
        }
        return versions;
    }

    private static List<ClientChoice> clients(ClusterMatrix matrix, Method method) {
        List<ClientChoice> choices = new ArrayList<>();
        for (ClientVersion version : orNull(clientVersions(matrix, method))) {
            for (GroupProtocol protocol : orNull(List.of(matrix.protocols()))) {
                for (String config : matrix.clientConfigs()) {
                    choices.add(new ClientChoice(version, protocol, config));
                }
            }
        }
        return choices;
    }

    /** What is left out of a matrix is one choice: none. */
    private static <T> List<@Nullable T> orNull(List<T> given) {
        return given.isEmpty() ? Collections.singletonList(null) : List.copyOf(given);
    }

    private static List<Combination> combinations(ClusterMatrix matrix, Method method) {
        List<OptionalInt> versions = transactionVersions(matrix, method);
        List<ClientChoice> clients = clients(matrix, method);
        List<Combination> all = new ArrayList<>();
        for (int brokers : matrix.brokers()) {
            for (int controllers : matrix.controllers()) {
                for (boolean combined : matrix.combined()) {
                    if (combined && controllers > brokers) {
                        continue;
                    }
                    for (OptionalInt version : versions) {
                        for (String config : matrix.configs()) {
                            for (ClientChoice client : clients) {
                                all.add(new Combination(
                                        method, brokers, controllers, combined, version, config, client));
                            }
                        }
                    }
                }
            }
        }
        return all;
    }

    private record Invocation(Combination combination, boolean withOtherClients)
            implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return "[" + invocationIndex + "] " + combination;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            Extension chosen = new BeforeTheInstance(combination);
            return withOtherClients ? List.of(chosen, new WithOtherClients(combination)) : List.of(chosen);
        }

        /** Soon enough for an instance that is there already, which all tests of its class share. */
        @Override
        public void prepareInvocation(ExtensionContext context) {
            KafkaClusterExtension.choose(combination, context);
        }
    }

    /** The fields of a test's own instance are filled from the combination's cluster. */
    private record BeforeTheInstance(Combination combination) implements TestInstancePreConstructCallback {
        @Override
        public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
            return ExtensionContextScope.TEST_METHOD;
        }

        @Override
        public void preConstructTestInstance(TestInstanceFactoryContext factoryContext, ExtensionContext context) {
            KafkaClusterExtension.choose(combination, context);
        }
    }
}
