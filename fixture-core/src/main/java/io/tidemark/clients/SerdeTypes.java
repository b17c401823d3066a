package io.tidemark.clients;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;

/** Which types keys and values may have, and how they are turned into bytes: by Kafka's own serializers. */
final class SerdeTypes {
    private static final Map<Class<?>, Supplier<Serde<?>>> SERDES = serdes();

    private SerdeTypes() {}

    private static Map<Class<?>, Supplier<Serde<?>>> serdes() {
        Map<Class<?>, Supplier<Serde<?>>> serdes = new LinkedHashMap<>();
        serdes.put(String.class, Serdes::String);
        serdes.put(byte[].class, Serdes::ByteArray);
        serdes.put(Integer.class, Serdes::Integer);
        serdes.put(Long.class, Serdes::Long);
        serdes.put(Short.class, Serdes::Short);
        serdes.put(Float.class, Serdes::Float);
        serdes.put(Double.class, Serdes::Double);
        serdes.put(UUID.class, Serdes::UUID);
        serdes.put(ByteBuffer.class, Serdes::ByteBuffer);
        serdes.put(Bytes.class, Serdes::Bytes);
        serdes.put(Void.class, Serdes::Void);
        return serdes;
    }

    @SuppressWarnings("unchecked")
    static <T> Serde<T> of(Class<T> type) {
        Supplier<Serde<?>> serde = SERDES.get(type);
        if (serde == null) {
            throw unknown(type);
        }
        return (Serde<T>) serde.get();
    }

    /** The class that a type argument names. */
    static Class<?> classOf(Type type) {
        if (type instanceof GenericArrayType array && array.getGenericComponentType() == byte.class) {
            return byte[].class;
        }
        if (type instanceof Class<?> named && SERDES.containsKey(named)) {
            return named;
        }
        throw unknown(type);
    }

    private static IllegalArgumentException unknown(Type type) {
        String known = String.join(
                ", ", SERDES.keySet().stream().map(Class::getSimpleName).toList());
        return new IllegalArgumentException("No serializer is known for [" + type.getTypeName() + "]: use one of "
                + known + ", or make the client with Clients and a serializer of your own");
    }
}
