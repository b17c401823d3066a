package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.ClusterClock;
import io.tidemark.TopicHandle;
import io.tidemark.clients.ClientConfig;
import io.tidemark.spi.InjectionPoint;
import io.tidemark.spi.InjectionScope;
import io.tidemark.spi.ParameterProvider;
import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What can be injected into parameters and fields, and how it is made. What somebody else's annotation stands on is never
 * taken, unless one of ours stands there too.
 *
 * @param providers those on the class path
 */
record Injection(List<ParameterProvider> providers) {
    private static final List<Class<? extends Annotation>> OURS =
            List.of(FromCluster.class, BootstrapServers.class, Topic.class, ClientConfig.class);

    private static final String DEFAULT_PROPERTY = "bootstrap.servers";

    /** They say something about a value, not where it comes from. */
    private static final Set<String> NULLNESS =
            Set.of("Nullable", "NonNull", "NotNull", "Nonnull", "CheckForNull", "Deprecated");

    static Injection load() {
        return new Injection(ServiceLoader.load(ParameterProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList());
    }

    /** The annotation of ours that asks for a value, or null where there is none. */
    static @Nullable String askedBy(InjectionPoint point) {
        for (Class<? extends Annotation> annotation : OURS) {
            if (!point.allOf(annotation).isEmpty()) {
                return "@" + annotation.getSimpleName();
            }
        }
        return null;
    }

    static boolean isSomebodyElses(InjectionPoint point) {
        if (askedBy(point) != null || !point.allOf(KafkaCluster.class).isEmpty()) {
            return false;
        }
        for (Annotation annotation : point.annotations().getAnnotations()) {
            if (!NULLNESS.contains(annotation.annotationType().getSimpleName())) {
                return true;
            }
        }
        return false;
    }

    /** True for a generic type without its arguments. */
    static boolean isRaw(InjectionPoint point) {
        return point.rawType().getTypeParameters().length > 0 && !(point.type() instanceof ParameterizedType);
    }

    /** True where its type alone says that a value belongs to a cluster. */
    boolean supports(InjectionPoint point) {
        return point.rawType() == Cluster.class || point.rawType() == ClusterClock.class || isProvided(point);
    }

    /** True where the value comes from a provider, so that the type may be somebody else's as well. */
    boolean isProvided(InjectionPoint point) {
        return providers.stream().anyMatch(provider -> provider.supports(point));
    }

    /**
     * The value.
     *
     * @throws IllegalArgumentException if it asks for something that cannot be; the message says what can
     */
    Object valueOf(InjectionPoint point, TestScope scope) {
        refuseSeveral(point);
        InjectionScope of = scopeFor(point, scope);
        List<ClientConfig> clientConfigs = point.allOf(ClientConfig.class);
        if (!clientConfigs.isEmpty() && !point.rawType().getName().startsWith("org.apache.kafka.clients.")) {
            throw new IllegalArgumentException("Cannot inject " + point
                    + ": @ClientConfig goes with a Producer, a Consumer or an Admin, and its type is ["
                    + point.type().getTypeName() + "]");
        }
        List<BootstrapServers> address = point.allOf(BootstrapServers.class);
        if (!address.isEmpty()) {
            return addressOf(point, of.cluster(), address.get(address.size() - 1));
        }
        List<Topic> topics = point.allOf(Topic.class);
        if (!topics.isEmpty()) {
            return topicOf(point, of.cluster(), topics.get(topics.size() - 1));
        }
        if (point.rawType() == Cluster.class) {
            return of.cluster();
        }
        if (point.rawType() == ClusterClock.class) {
            return of.cluster().clock();
        }
        for (ParameterProvider provider : providers) {
            if (provider.supports(point)) {
                return provider.provide(point, of);
            }
        }
        throw new IllegalArgumentException("Cannot inject " + point + ": nothing provides a ["
                + point.type().getTypeName() + "]; ask for a Cluster, a ClusterClock, a Producer, a Consumer, an Admin,"
                + " a Chaos, or with @Topic or @BootstrapServers for a String");
    }

    /** Each of them says what the value is, so that only one can be right. */
    static void refuseSeveral(InjectionPoint point) {
        List<String> asked = Stream.of(KafkaCluster.class, BootstrapServers.class, Topic.class, ClientConfig.class)
                .filter(annotation -> !point.allOf(annotation).isEmpty())
                .map(annotation -> "@" + annotation.getSimpleName())
                .toList();
        if (asked.size() > 1) {
            throw new IllegalArgumentException("Cannot inject " + point + ": " + String.join(" and ", asked)
                    + " ask for different things; keep one of them");
        }
    }

    private static InjectionScope scopeFor(InjectionPoint point, TestScope scope) {
        List<FromCluster> from = point.allOf(FromCluster.class);
        String name = from.isEmpty() ? "" : from.get(from.size() - 1).value();
        return name.isEmpty() ? scope : new ScopeOfCluster(scope, scope.clusterNamed(name, point.toString()));
    }

    private static Object addressOf(InjectionPoint point, Cluster cluster, BootstrapServers annotation) {
        String address;
        try {
            address = annotation.listener().isEmpty()
                    ? cluster.bootstrapServers()
                    : cluster.bootstrapServers(annotation.listener());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Cannot inject " + point + ": " + e.getMessage(), e);
        }
        if (point.rawType() == String.class) {
            requireNoProperty(point, annotation);
            return address;
        }
        if (annotation.property().isBlank()) {
            throw new IllegalArgumentException("Cannot inject " + point
                    + ": @BootstrapServers has a property() of [" + annotation.property()
                    + "]; name the one that the application reads, for example [kafka.address]");
        }
        if (point.rawType() == Properties.class) {
            Properties properties = new Properties();
            properties.setProperty(annotation.property(), address);
            return properties;
        }
        if (point.rawType() == Map.class && isOfStrings(point.type())) {
            return Map.of(annotation.property(), address);
        }
        throw new IllegalArgumentException("Cannot inject " + point
                + ": @BootstrapServers goes with a String, a Map<String, String> or Properties, and its type is ["
                + point.type().getTypeName() + "]");
    }

    /** A text has no names in it, so that a name would be lost. */
    private static void requireNoProperty(InjectionPoint point, BootstrapServers annotation) {
        if (!annotation.property().equals(DEFAULT_PROPERTY)) {
            throw new IllegalArgumentException("Cannot inject " + point + ": @BootstrapServers names the property ["
                    + annotation.property()
                    + "], and a String has no names in it; make it a Map<String, String>, or put"
                    + " systemProperty() on @KafkaCluster where it is a system property");
        }
    }

    private static boolean isOfStrings(Type map) {
        return !(map instanceof ParameterizedType generic)
                || Arrays.stream(generic.getActualTypeArguments())
                        .allMatch(argument -> argument == String.class || argument == Object.class);
    }

    private static Object topicOf(InjectionPoint point, Cluster cluster, Topic topic) {
        if (point.rawType() != String.class && point.rawType() != TopicHandle.class) {
            throw new IllegalArgumentException("Cannot inject " + point
                    + ": @Topic goes with a String or a TopicHandle, and its type is ["
                    + point.type().getTypeName() + "]");
        }
        String name;
        try {
            name = topic.name().isEmpty()
                    ? cluster.createTopic(ClusterDeclaration.settingsOf(topic))
                    : cluster.createTopic(topic.name(), ClusterDeclaration.settingsOf(topic));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Cannot inject " + point + ": " + e.getMessage(), e);
        }
        return point.rawType() == String.class ? name : cluster.topic(name);
    }

    /** A scope in which one certain cluster is the one in reach. */
    private record ScopeOfCluster(TestScope scope, Cluster cluster) implements InjectionScope {
        @Override
        public Map<String, String> clientSettings() {
            return scope.clientSettings();
        }

        @Override
        public void closeLater(AutoCloseable resource) {
            scope.closeLater(resource);
        }

        @Override
        public <T extends AutoCloseable> T shared(Class<T> type, java.util.function.Supplier<T> make) {
            return scope.shared(type, cluster, make);
        }
    }
}
