package io.tidemark.spi;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Type;

/**
 * A parameter that waits for its value.
 *
 * @param type its type with the generic arguments
 * @param rawType its class
 * @param annotations its annotations
 * @param description where it is, for messages: {@code parameter [producer] of OrdersTest.sends}
 */
public record InjectionPoint(Type type, Class<?> rawType, AnnotatedElement annotations, String description) {
    @Override
    public String toString() {
        return description;
    }
}
