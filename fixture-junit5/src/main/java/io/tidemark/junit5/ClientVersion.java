package io.tidemark.junit5;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.util.Collections;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A version of kafka-clients, as its jar has it: three numbers and what a distributor hangs onto them.
 *
 * @param text as it is written
 */
record ClientVersion(String text) {
    /** Where every kafka-clients says which one it is. */
    static final String RESOURCE = "kafka/kafka-version.properties";

    private static final String UNKNOWN = "unknown";
    private static final String ITS_OWN = "org/apache/kafka/common/TopicPartition.class";
    private static final Pattern SHAPE =
            Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\.\\d{1,4}([.-][A-Za-z0-9][A-Za-z0-9.-]*)?");
    private static final int GROUP_PROTOCOL_SINCE_MAJOR = 3;
    private static final int GROUP_PROTOCOL_SINCE_MINOR = 7;

    static boolean isOne(String text) {
        return SHAPE.matcher(text).matches();
    }

    /** The one whose classes a class loader has; empty where it has none. */
    static Optional<ClientVersion> in(ClassLoader classes) {
        String location = locationIn(classes);
        if (location == null) {
            return Optional.empty();
        }
        try {
            // Other jars of Kafka's have it too.
            for (URL candidate : Collections.list(classes.getResources(RESOURCE))) {
                if (candidate.toExternalForm().equals(location + RESOURCE)) {
                    URLConnection connection = candidate.openConnection();
                    connection.setUseCaches(false);
                    try (InputStream in = connection.getInputStream()) {
                        return Optional.of(read(in));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + RESOURCE + " in " + location, e);
        }
        return Optional.of(new ClientVersion(UNKNOWN));
    }

    /** The address of kafka-clients as a class loader has it, up to where the names of its classes begin. */
    static @Nullable String locationIn(ClassLoader classes) {
        URL known = classes.getResource(ITS_OWN);
        if (known == null) {
            return null;
        }
        String text = known.toExternalForm();
        return text.substring(0, text.length() - ITS_OWN.length());
    }

    static ClientVersion read(InputStream in) throws IOException {
        Properties properties = new Properties();
        properties.load(in);
        return new ClientVersion(properties.getProperty("version", UNKNOWN));
    }

    String jarName() {
        return "kafka-clients-" + text + ".jar";
    }

    /** Whether its consumers have the setting {@code group.protocol}. */
    boolean knowsGroupProtocol() {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            return true;
        }
        int major = Integer.parseInt(matcher.group(1));
        return major > GROUP_PROTOCOL_SINCE_MAJOR
                || (major == GROUP_PROTOCOL_SINCE_MAJOR
                        && Integer.parseInt(matcher.group(2)) >= GROUP_PROTOCOL_SINCE_MINOR);
    }

    @Override
    public String toString() {
        return text;
    }
}
