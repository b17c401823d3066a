package io.tidemark.clients;

import io.tidemark.spi.InjectionPoint;
import io.tidemark.spi.InjectionScope;
import io.tidemark.spi.ParameterProvider;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Map;
import java.util.TreeMap;

/**
 * Injects {@code Producer<K, V>}, {@code Consumer<K, V>}, {@code ShareConsumer<K, V>} and {@code Admin}, with serializers chosen by the generic
 * types and the settings of {@link ClientConfig}. It knows those types by their names alone, since kafka-clients need not be there.
 *
 * <pre>{@code
 * @Test
 * void sends(Producer<String, Long> producer, @ClientConfig("group.id=billing") Consumer<String, Long> consumer) {}
 * }</pre>
 */
public final class ClientParameters implements ParameterProvider {
    private static final String PRODUCER = "org.apache.kafka.clients.producer.Producer";
    private static final String CONSUMER = "org.apache.kafka.clients.consumer.Consumer";
    private static final String SHARE_CONSUMER = "org.apache.kafka.clients.consumer.ShareConsumer";
    private static final String KAFKAS_OWN = "org.apache.kafka.";
    private static final String ADMIN = "org.apache.kafka.clients.admin.Admin";

    @Override
    public boolean supports(InjectionPoint point) {
        String type = point.rawType().getName();
        return type.equals(PRODUCER) || type.equals(CONSUMER) || type.equals(SHARE_CONSUMER) || type.equals(ADMIN);
    }

    @Override
    public Object provide(InjectionPoint point, InjectionScope scope) {
        Clients clients = Clients.of(scope.cluster());
        scope.closeLater(clients);
        Map<String, String> settings = settings(point, scope.clientSettings());
        try {
            return make(point, scope, clients, settings);
        } catch (RuntimeException e) {
            if (e.getClass().getName().startsWith(KAFKAS_OWN)) {
                throw new IllegalArgumentException(
                        "Cannot inject " + point + ": Kafka refuses its settings " + settings + ": "
                                + root(e).getMessage() + "; say what it shall have with @ClientConfig",
                        e);
            }
            throw e;
        }
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static Object make(
            InjectionPoint point, InjectionScope scope, Clients clients, Map<String, String> settings) {
        return switch (point.rawType().getName()) {
            case PRODUCER -> clients.producer(argument(point, 0), argument(point, 1), settings);
            case CONSUMER -> {
                requireServed(scope, point, settings);
                yield clients.consumer(argument(point, 0), argument(point, 1), settings);
            }
            case SHARE_CONSUMER -> {
                ShareConsumers.requireServed(scope.cluster(), point);
                yield ShareConsumers.create(clients, argument(point, 0), argument(point, 1), settings);
            }
            default -> clients.admin(settings);
        };
    }

    private static void requireServed(InjectionScope scope, InjectionPoint point, Map<String, String> settings) {
        if (ConsumerProtocol.VALUE.equalsIgnoreCase(settings.get(ConsumerProtocol.SETTING))) {
            try {
                ConsumerProtocol.requireServed(scope.cluster());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("Cannot inject " + point + ": " + e.getMessage(), e);
            }
        }
    }

    private static Map<String, String> settings(InjectionPoint point, Map<String, String> fallback) {
        Map<String, String> settings = new TreeMap<>(fallback);
        if (!point.rawType().getName().equals(CONSUMER)) {
            // Others do not know it, and would log that they do not.
            settings.remove(ConsumerProtocol.SETTING);
        }
        for (ClientConfig config : point.allOf(ClientConfig.class)) {
            for (String pair : config.value()) {
                int equals = pair.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("Cannot inject " + point + ": @ClientConfig has [" + pair
                            + "], which is not a pair: write [name=value], for example [linger.ms=5]");
                }
                settings.put(
                        pair.substring(0, equals).strip(),
                        pair.substring(equals + 1).strip());
            }
        }
        return settings;
    }

    private static Class<?> argument(InjectionPoint point, int index) {
        if (!(point.type() instanceof ParameterizedType type)) {
            String simple = point.rawType().getSimpleName();
            throw new IllegalArgumentException("Cannot inject " + point + ": the raw type [" + simple
                    + "] does not say how keys and values are serialized; write for example " + simple
                    + "<String, String>");
        }
        Type argument = type.getActualTypeArguments()[index];
        if (argument instanceof WildcardType wildcard) {
            argument = wildcard.getUpperBounds()[0];
        }
        try {
            return SerdeTypes.classOf(argument);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Cannot inject " + point + ": " + e.getMessage(), e);
        }
    }
}
