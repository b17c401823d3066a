package io.tidemark.spi;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A parameter or a field that waits for its value.
 *
 * <pre>{@code
 * public boolean supports(InjectionPoint point) {
 *     return point.rawType() == SchemaClient.class && !point.allOf(SchemaUrl.class).isEmpty();
 * }
 * }</pre>
 *
 * @param type its type with the generic arguments
 * @param rawType its class
 * @param annotations its annotations
 * @param description where it is, for messages: {@code parameter [producer] of OrdersTest.sends}
 */
public record InjectionPoint(Type type, Class<?> rawType, AnnotatedElement annotations, String description) {
    /** Every annotation of a type that it carries: those on its annotations first, then its own. */
    public <A extends Annotation> List<A> allOf(Class<A> wanted) {
        List<A> found = new ArrayList<>();
        collect(annotations, wanted, found, new HashSet<>());
        return found;
    }

    private static <A extends Annotation> void collect(
            AnnotatedElement element, Class<A> wanted, List<A> found, Set<Class<?>> seen) {
        for (Annotation annotation : element.getAnnotations()) {
            Class<? extends Annotation> type = annotation.annotationType();
            if (!type.getName().startsWith("java.lang.annotation.") && seen.add(type)) {
                collect(type, wanted, found, seen);
            }
            if (wanted.isInstance(annotation)) {
                found.add(wanted.cast(annotation));
            }
        }
    }

    @Override
    public String toString() {
        return description;
    }
}
