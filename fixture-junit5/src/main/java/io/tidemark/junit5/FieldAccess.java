package io.tidemark.junit5;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** Reads and fills fields of tests, private ones too. */
final class FieldAccess {
    private FieldAccess() {}

    static @Nullable Object read(Field field, @Nullable Object owner) {
        try {
            field.setAccessible(true);
            return field.get(owner);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new ExtensionConfigurationException(Declarations.placeOf(field) + " cannot be read: " + e, e);
        }
    }

    /**
     * Fills a field.
     *
     * @param why the annotation that asks for it, for messages
     */
    static void fill(Field field, @Nullable Object owner, Object value, String why) {
        refuseFinal(field, why);
        try {
            field.setAccessible(true);
            field.set(owner, value);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new ExtensionConfigurationException(
                    why + " on " + Declarations.placeOf(field) + ": it cannot be filled: " + e, e);
        }
    }

    /** Takes out of a static field what was filled in. */
    static void clear(Field field) {
        try {
            field.set(null, null);
        } catch (ReflectiveOperationException e) {
            throw new ExtensionConfigurationException(Declarations.placeOf(field) + " cannot be cleared: " + e, e);
        }
    }

    static void refuseFinal(Field field, String why) {
        if (Modifier.isFinal(field.getModifiers())) {
            throw new ExtensionConfigurationException(why + " on " + Declarations.placeOf(field)
                    + ": it is [final] and cannot be filled; drop the modifier");
        }
    }
}
