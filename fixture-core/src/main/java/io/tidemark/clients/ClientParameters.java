package io.tidemark.clients;

import io.tidemark.spi.InjectionPoint;
import io.tidemark.spi.InjectionScope;
import io.tidemark.spi.ParameterProvider;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;

/**
 * Injects {@code Producer<K, V>}, {@code Consumer<K, V>} and {@code Admin}, with serializers chosen by the generic
 * types. It knows those types by their names alone, since kafka-clients need not be there.
 */
public final class ClientParameters implements ParameterProvider {
    private static final String PRODUCER = "org.apache.kafka.clients.producer.Producer";
    private static final String CONSUMER = "org.apache.kafka.clients.consumer.Consumer";
    private static final String ADMIN = "org.apache.kafka.clients.admin.Admin";

    @Override
    public boolean supports(InjectionPoint point) {
        String type = point.rawType().getName();
        return type.equals(PRODUCER) || type.equals(CONSUMER) || type.equals(ADMIN);
    }

    @Override
    public Object provide(InjectionPoint point, InjectionScope scope) {
        Clients clients = Clients.of(scope.cluster());
        scope.closeLater(clients);
        return switch (point.rawType().getName()) {
            case PRODUCER -> clients.producer(argument(point, 0), argument(point, 1));
            case CONSUMER -> clients.consumer(argument(point, 0), argument(point, 1));
            default -> clients.admin();
        };
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
