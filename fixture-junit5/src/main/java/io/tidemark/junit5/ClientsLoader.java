package io.tidemark.junit5;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * The class path with another kafka-clients in it. Classes of kafka-clients come from the jar of that version and from
 * nowhere else; what may link to them, which is everything but {@link #SHARED}, is defined anew here from the bytes that
 * the class path has for it. Safe from any thread. Its jars are closed with it; its classes stay until the JVM ends, since
 * JUnit remembers every type of annotation that it has seen, which is one more reason for having few of these loaders.
 */
final class ClientsLoader extends URLClassLoader {
    /**
     * What there has to be only one of, because both sides talk through it (JUnit, logging, mocks, Kotlin), because its
     * native library loads only once (codecs), or because it knows nothing of kafka-clients and is warm already (assertions,
     * the broker and its network).
     */
    private static final List<String> SHARED = List.of(
            "org.junit.",
            "org.opentest4j.",
            "org.apiguardian.",
            "org.jspecify.",
            "org.slf4j.",
            "ch.qos.logback.",
            "org.apache.logging.",
            "org.apache.log4j.",
            "org.mockito.",
            "org.objenesis.",
            "net.bytebuddy.",
            "org.jacoco.",
            "kotlin.",
            "com.github.luben.zstd.",
            "org.xerial.snappy.",
            "net.jpountz.",
            "com.sun.jna.",
            "org.rocksdb.",
            "org.assertj.",
            "org.awaitility.",
            "org.hamcrest.",
            "io.tidemark.broker.",
            "io.netty.");

    private static final String NAME = "with-kafka-clients-";
    private static final List<String> OF_CLIENTS = List.of("org/apache/kafka/", "kafka/", "META-INF/");
    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader classPath;
    private final ClientVersion version;
    private final @Nullable String replaced;
    private final Map<String, JarFile> jars = new ConcurrentHashMap<>();
    private final Map<String, ProtectionDomain> domains = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    ClientsLoader(ClientVersion version, Path jar, ClassLoader classPath) throws MalformedURLException {
        super(NAME + version, new URL[] {jar.toUri().toURL()}, classPath);
        this.classPath = classPath;
        this.version = version;
        this.replaced = ClientVersion.locationIn(classPath);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            String path = name.replace('.', '/') + ".class";
            if (isShared(name) || JDK.getResource(path) != null) {
                return classPath.loadClass(name);
            }
            return findResource(path) != null ? findClass(name) : defineAnew(name, path);
        }
    }

    private static boolean isShared(String name) {
        for (String prefix : SHARED) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private Class<?> defineAnew(String name, String path) throws ClassNotFoundException {
        URL source = classPath.getResource(path);
        if (source == null) {
            // Made at run time by someone there, or not there at all.
            return classPath.loadClass(name);
        }
        if (isReplaced(source, path)) {
            throw new ClassNotFoundException(name + " is not in kafka-clients " + version
                    + ", with which this test runs; the class path has it from another version");
        }
        try {
            byte[] bytes = read(source);
            ProtectionDomain domain = domains.computeIfAbsent(locationOf(source, path), this::domainOf);
            return defineClass(name, bytes, 0, bytes.length, domain);
        } catch (IOException e) {
            throw new ClassNotFoundException("Cannot read " + name + " from " + source, e);
        }
    }

    private ProtectionDomain domainOf(String location) {
        try {
            URL url = new URL(
                    location.startsWith("jar:")
                            ? location.substring("jar:".length(), location.length() - 2)
                            : location);
            return new ProtectionDomain(new CodeSource(url, (Certificate[]) null), null, this, null);
        } catch (MalformedURLException e) {
            throw new UncheckedIOException("The class path has a place of an unknown kind: " + location, e);
        }
    }

    /** The text of its address up to where its own path begins. */
    private static String locationOf(URL source, String path) {
        String text = source.toExternalForm();
        return text.endsWith(path) ? text.substring(0, text.length() - path.length()) : text;
    }

    private boolean isReplaced(URL source, String path) {
        return replaced != null
                && source.toExternalForm().startsWith(replaced)
                && OF_CLIENTS.stream().anyMatch(path::startsWith);
    }

    /** Without the cache of the JDK's connections, which would keep the jars of the class path open for good. */
    private byte[] read(URL source) throws IOException {
        URLConnection connection = source.openConnection();
        connection.setUseCaches(false);
        try {
            if (source.getProtocol().equals("file")) {
                return Files.readAllBytes(Path.of(source.toURI()));
            }
            if (!isClosed
                    && connection instanceof JarURLConnection inJar
                    && inJar.getJarFileURL().getProtocol().equals("file")) {
                JarFile jar = open(inJar.getJarFileURL());
                try (InputStream in = jar.getInputStream(jar.getEntry(inJar.getEntryName()))) {
                    return in.readAllBytes();
                }
            }
        } catch (URISyntaxException e) {
            throw new IOException("Not the address of a file: " + source, e);
        }
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes();
        }
    }

    private JarFile open(URL jar) throws IOException, URISyntaxException {
        try {
            Path file = Path.of(jar.toURI());
            return jars.computeIfAbsent(jar.toExternalForm(), url -> {
                try {
                    return new JarFile(file.toFile());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public @Nullable URL getResource(String name) {
        URL own = findResource(name);
        if (own != null) {
            return own;
        }
        URL source = classPath.getResource(name);
        return source == null || isReplaced(source, name) ? null : source;
    }

    /** What is the class path's is not opened here, where it would be closed with this loader. */
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        if (findResource(name) != null) {
            return super.getResourceAsStream(name);
        }
        return getResource(name) == null ? null : classPath.getResourceAsStream(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> all = new ArrayList<>(Collections.list(findResources(name)));
        for (URL source : Collections.list(classPath.getResources(name))) {
            if (!isReplaced(source, name)) {
                all.add(source);
            }
        }
        return Collections.enumeration(all);
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        super.close();
        for (JarFile jar : jars.values()) {
            jar.close();
        }
    }
}
