package io.tidemark.junit5;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs one invocation of a matrix with another kafka-clients than that of the class path: in a JUnit run of its own, with
 * the class loader of that version, where it is a plain invocation. Of the one out here only the frame is left: its
 * methods are skipped. Before them, so that no timeout of the test's counts what it takes to load classes.
 */
record WithOtherClients(Combination combination) implements BeforeTestExecutionCallback, InvocationInterceptor {
    private static final String LAUNCHER = "org/junit/platform/launcher/";

    @Override
    public void beforeTestExecution(ExtensionContext context) throws Exception {
        ClassLoader classPath = context.getRequiredTestClass().getClassLoader();
        ClientVersion version = combination.client().versionFor(classPath).orElseThrow();
        Path jar = ClientJars.of(context).jarOf(version, combination.place());
        ClassLoader classes = KafkaClusterExtension.runOf(context).classPathWith(version, jar, classPath);
        requireLinks(context.getRequiredTestClass(), version, classes);
        try {
            rethrow(new TestInItsOwnRun(context, classes).failure());
        } catch (NoClassDefFoundError e) {
            if (String.valueOf(e.getMessage()).startsWith(LAUNCHER)) {
                throw new ExtensionConfigurationException(
                        combination.place() + ": clients() needs JUnit's launcher, and it is not on the class path;"
                                + " add org.junit.platform:junit-platform-launcher to the tests' runtime",
                        e);
            }
            throw e;
        }
    }

    /** JUnit would only say that it finds no test in it. */
    private void requireLinks(Class<?> testClass, ClientVersion version, ClassLoader classes) {
        for (Class<?> outer = testClass; outer != null; outer = outer.getEnclosingClass()) {
            try {
                Class<?> same = Class.forName(outer.getName(), false, classes);
                // They are linked when they are asked for.
                Objects.requireNonNull(same.getDeclaredMethods());
                Objects.requireNonNull(same.getDeclaredFields());
            } catch (ClassNotFoundException | LinkageError e) {
                throw new ExtensionConfigurationException(
                        combination.place() + ": " + outer.getName() + " does not link with kafka-clients [" + version
                                + "]: " + e + "; keep what only other versions have out of its fields and of the"
                                + " parameters of its methods, in a class of its own",
                        e);
            }
        }
    }

    private static void rethrow(@Nullable Throwable failure) throws Exception {
        if (failure instanceof Exception exception) {
            throw exception;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context) {
        invocation.skip();
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context) {
        invocation.skip();
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context) {
        invocation.skip();
    }
}
