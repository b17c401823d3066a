package io.tidemark.broker.protocol;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.types.Uuid;
import io.tidemark.protocol.generator.model.FieldModel;
import io.tidemark.protocol.generator.model.FieldType;
import io.tidemark.protocol.generator.model.StructModel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/** Fills a generated class, Kafka's or ours, from {@link RandomValues}, through its setters. */
final class MessageFiller {
    private MessageFiller() {}

    static <T> T fill(T target, StructModel struct, Map<String, Object> values) {
        try {
            fillStruct(target.getClass(), target, struct, values);
            return target;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot fill " + target.getClass(), e);
        }
    }

    /** A fresh instance by the default constructor. */
    static <T> T create(Class<T> type) {
        try {
            return type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot create " + type, e);
        }
    }

    private static void fillStruct(Class<?> message, Object target, StructModel struct, Map<String, Object> values)
            throws ReflectiveOperationException {
        for (FieldModel field : struct.fields()) {
            if (!values.containsKey(field.javaName())) {
                continue;
            }
            Method setter = setter(target.getClass(), field.javaName());
            Object value = convert(message, setter.getParameterTypes()[0], field.type(), values.get(field.javaName()));
            setter.invoke(target, value);
        }
    }

    private static Method setter(Class<?> owner, String field) {
        String name = "set" + Character.toUpperCase(field.charAt(0)) + field.substring(1);
        for (Method method : owner.getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == 1) {
                return method;
            }
        }
        throw new IllegalStateException(owner + " has no setter " + name);
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Object convert(Class<?> message, Class<?> wanted, FieldType type, @Nullable Object value)
            throws ReflectiveOperationException {
        if (value == null) {
            return null;
        }
        if (type instanceof FieldType.Struct struct) {
            Object nested =
                    nestedClass(message, struct.model().name()).getConstructor().newInstance();
            fillStruct(message, nested, struct.model(), (Map<String, Object>) value);
            return nested;
        }
        if (type instanceof FieldType.Array array) {
            Collection<Object> list = wanted == List.class ? new ArrayList<>() : newCollection(wanted);
            for (Object element : (List<Object>) value) {
                list.add(convert(message, Object.class, array.element(), element));
            }
            return list;
        }
        boolean ours = message.getName().startsWith("io.tidemark");
        return switch ((FieldType.Simple) type) {
            case UUID -> uuid(ours, (byte[]) value);
            case RECORDS -> records(ours, (byte[]) value);
            case BYTES -> wanted == ByteBuffer.class ? ByteBuffer.wrap((byte[]) value) : value;
            default -> value;
        };
    }

    @SuppressWarnings("unchecked")
    private static Collection<Object> newCollection(Class<?> type) throws ReflectiveOperationException {
        try {
            return (Collection<Object>) type.getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("Cannot create " + type, e);
        }
    }

    private static Class<?> nestedClass(Class<?> message, String name) throws ClassNotFoundException {
        return Class.forName(message.getName() + "$" + name);
    }

    private static Object uuid(boolean ours, byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long most = buffer.getLong();
        long least = buffer.getLong();
        return ours ? new Uuid(most, least) : new org.apache.kafka.common.Uuid(most, least);
    }

    private static Object records(boolean ours, byte[] bytes) {
        return ours
                ? new BufferRecords(Unpooled.wrappedBuffer(bytes))
                : MemoryRecords.readableRecords(ByteBuffer.wrap(bytes));
    }
}
