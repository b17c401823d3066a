package io.tidemark.broker.simulation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The broker with one mutation, in a class loader of its own: the changed source file is compiled against the classes
 * that are there, and its classes come first. What lies below every mutated package is shared, since it is the same.
 */
final class MutantLoader extends URLClassLoader {
    private static final String BROKER = "io.tidemark.broker.";
    private static final List<String> SHARED = List.of(BROKER + "protocol.", BROKER + "types.");

    private MutantLoader(List<URL> urls) {
        super(urls.toArray(new URL[0]), MutantLoader.class.getClassLoader());
    }

    /** A wrong mutation: its snippet is not there once, or the code with it does not compile. */
    static final class BadMutation extends AssertionError {
        private static final long serialVersionUID = 1L;

        BadMutation(Mutation mutation, String message) {
            super("Mutation [" + mutation.name() + "]: " + message);
        }
    }

    /**
     * @param folder an empty one, for what is compiled
     * @throws BadMutation if it cannot be applied
     */
    static MutantLoader of(Mutation mutation, Path folder) throws IOException {
        Path source = Path.of("src/main/java/io/tidemark/broker", mutation.source() + ".java");
        String text = Files.readString(source);
        for (Mutation.Edit edit : mutation.edits()) {
            int at = text.indexOf(edit.snippet());
            if (at < 0 || text.indexOf(edit.snippet(), at + 1) >= 0) {
                throw new BadMutation(
                        mutation,
                        "its snippet is to be found exactly once in " + source + ", and it is there "
                                + (at < 0 ? "not at all" : "more often") + ":\n" + edit.snippet());
            }
            text = text.substring(0, at)
                    + edit.replacement()
                    + text.substring(at + edit.snippet().length());
        }
        Path changed = folder.resolve(source.getFileName());
        Files.writeString(changed, text);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        compile(mutation, changed, classes);
        return new MutantLoader(
                List.of(url(classes), url(Path.of("target/classes")), url(Path.of("target/test-classes"))));
    }

    private static void compile(Mutation mutation, Path source, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IOException("There is no compiler in this JVM; run the tests on a JDK");
        }
        java.io.ByteArrayOutputStream errors = new java.io.ByteArrayOutputStream();
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath(), source.toString()));
        int result = compiler.run(null, null, errors, arguments.toArray(new String[0]));
        if (result != 0) {
            throw new BadMutation(mutation, "it does not compile:\n" + errors);
        }
    }

    private static String classPath() {
        String tests = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return "target/classes" + File.pathSeparator + tests;
    }

    private static URL url(Path folder) throws MalformedURLException {
        return folder.toAbsolutePath().toUri().toURL();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(BROKER) || SHARED.stream().anyMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    /** Runs a seed on the mutant; its report where it fails, else an empty text. */
    String failure(long seed) {
        try {
            Class<?> simulation = loadClass(Simulation.class.getName());
            Object run = simulation.getConstructor(long.class).newInstance(seed);
            Object outcome = simulation.getMethod("run").invoke(run);
            boolean isSound = (boolean) outcome.getClass().getMethod("isSound").invoke(outcome);
            return isSound
                    ? ""
                    : (String) outcome.getClass().getMethod("report").invoke(outcome);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The simulation cannot be run on a mutant", e);
        }
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
