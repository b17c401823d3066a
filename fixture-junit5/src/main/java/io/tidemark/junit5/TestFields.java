package io.tidemark.junit5;

import io.tidemark.spi.InjectionPoint;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * Fills the fields of a test. Those with an annotation of ours have to be filled; those with somebody else's are left
 * alone; those with none are filled where that is clear: a type that can be injected, nothing in it, one nearest cluster.
 */
final class TestFields {
    private final Injection injection;

    TestFields(Injection injection) {
        this.injection = injection;
    }

    void fillStatic(Class<?> testClass, TestScope scope) {
        fill(testClass, null, scope);
    }

    void fillInstance(Object testInstance, TestScope scope) {
        fill(testInstance.getClass(), testInstance, scope);
    }

    private void fill(Class<?> testClass, @Nullable Object testInstance, TestScope scope) {
        List<Field> rest = new ArrayList<>();
        Declarations.ofExtensions(testClass, testInstance).forEach(scope::declare);
        for (Field field : Declarations.fields(testClass, testInstance == null)) {
            ClusterDeclaration declaration = Declarations.ofField(field);
            if (declaration == null) {
                rest.add(field);
            } else {
                refuseSeveral(field);
                FieldAccess.refuseFinal(field, "@KafkaCluster");
                FieldAccess.fill(field, testInstance, scope.declare(declaration), "@KafkaCluster");
            }
        }
        // Last, as they may belong to any of the clusters.
        for (Field field : rest) {
            fillFromCluster(field, testInstance, scope);
        }
    }

    private static void refuseSeveral(Field field) {
        try {
            Injection.refuseSeveral(pointOf(field));
        } catch (IllegalArgumentException e) {
            throw new ExtensionConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }

    private static InjectionPoint pointOf(Field field) {
        return new InjectionPoint(field.getGenericType(), field.getType(), field, Declarations.placeOf(field));
    }

    private void fillFromCluster(Field field, @Nullable Object testInstance, TestScope scope) {
        InjectionPoint point = pointOf(field);
        String asked = Injection.askedBy(point);
        if (asked == null && !isClear(field, point, testInstance, scope)) {
            return;
        }
        String why = asked == null ? "The injection" : asked;
        FieldAccess.refuseFinal(field, why);
        try {
            FieldAccess.fill(field, testInstance, injection.valueOf(point, scope), why);
            if (testInstance == null) {
                // The class may run again in this JVM, and has to find the field as it did at first.
                scope.closeLater(() -> FieldAccess.clear(field));
            }
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new ExtensionConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }

    private boolean isClear(Field field, InjectionPoint point, @Nullable Object testInstance, TestScope scope) {
        return !Modifier.isFinal(field.getModifiers())
                && !Injection.isSomebodyElses(point)
                && !Injection.isRaw(point)
                && injection.supports(point)
                && scope.hasOneNearest()
                && FieldAccess.read(field, testInstance) == null;
    }
}
