package io.tidemark.requests;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a generated message, or of a struct in one, by their names. Generated classes have an accessor and a
 * setter for each, with the name that Kafka's spec gives it.
 */
final class MessageFields {
    private MessageFields() {}

    /** A field: the same of every version. */
    record Field(String name, Method reader, Method setter) {
        Class<?> type() {
            return reader.getReturnType();
        }

        boolean isList() {
            return type() == List.class;
        }

        /** What a list has: a struct's class, String, Integer and so on. */
        Class<?> elementType() {
            Type type = reader.getGenericReturnType();
            Type element = ((ParameterizedType) type).getActualTypeArguments()[0];
            return element instanceof Class<?> known ? known : Object.class;
        }

        @Nullable
        Object in(Object owner) {
            return invoke(reader, owner);
        }

        void set(Object owner, @Nullable Object value) {
            invoke(setter, owner, value);
        }
    }

    static List<Field> of(Class<?> struct) {
        List<Field> fields = new ArrayList<>();
        for (Method setter : struct.getMethods()) {
            if (setter.getName().startsWith("set")
                    && setter.getParameterCount() == 1
                    && setter.getDeclaringClass() == struct
                    && setter.getReturnType() == struct) {
                String name = Character.toLowerCase(setter.getName().charAt(3))
                        + setter.getName().substring(4);
                fields.add(new Field(name, reader(struct, name), setter));
            }
        }
        fields.sort((a, b) -> a.name().compareTo(b.name()));
        return fields;
    }

    private static Method reader(Class<?> struct, String name) {
        try {
            return struct.getMethod(name);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(struct + " has a setter for [" + name + "] and nothing to read it", e);
        }
    }

    static boolean isStruct(Class<?> type) {
        return type.getName().startsWith("io.tidemark.broker.protocol.")
                && Modifier.isStatic(type.getModifiers())
                && type.getEnclosingClass() != null;
    }

    static Object newStruct(Class<?> struct) {
        try {
            return struct.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot make a " + struct.getName(), e);
        }
    }

    private static @Nullable Object invoke(Method method, Object owner, @Nullable Object... arguments) {
        try {
            return method.invoke(owner, arguments);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("Cannot reach " + method, e);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(method + " failed", e.getCause());
        }
    }
}
