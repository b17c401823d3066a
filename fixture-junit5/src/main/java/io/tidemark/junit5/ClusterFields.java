package io.tidemark.junit5;

import io.tidemark.Cluster;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.AnnotationSupport;

/** Fields that carry {@link KafkaCluster}. */
final class ClusterFields {
    private ClusterFields() {}

    /** Starts the cluster of each annotated static field of a class and puts it there. */
    static void fillStatic(Class<?> testClass, TestScope scope) {
        fill(testClass, null, scope);
    }

    /** Starts the cluster of each annotated instance field of a test and puts it there. */
    static void fillInstance(Object testInstance, TestScope scope) {
        fill(testInstance.getClass(), testInstance, scope);
    }

    private static void fill(Class<?> testClass, @Nullable Object testInstance, TestScope scope) {
        boolean wantStatic = testInstance == null;
        for (Field field : AnnotationSupport.findAnnotatedFields(
                testClass,
                KafkaCluster.class,
                candidate -> Modifier.isStatic(candidate.getModifiers()) == wantStatic)) {
            String place = "field [" + field.getName() + "] of "
                    + field.getDeclaringClass().getSimpleName();
            if (field.getType() != Cluster.class) {
                throw new ExtensionConfigurationException("@KafkaCluster on " + place + ": its type is ["
                        + field.getType().getName() + "]; make it " + Cluster.class.getName());
            }
            if (Modifier.isFinal(field.getModifiers())) {
                throw new ExtensionConfigurationException(
                        "@KafkaCluster on " + place + ": it is [final] and cannot be filled; drop the modifier");
            }
            KafkaCluster annotation =
                    AnnotationSupport.findAnnotation(field, KafkaCluster.class).orElseThrow();
            Cluster cluster = scope.declare(new ClusterDeclaration(annotation, place));
            try {
                field.setAccessible(true);
                field.set(testInstance, cluster);
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw new ExtensionConfigurationException(
                        "@KafkaCluster on " + place + ": it cannot be filled: " + e, e);
            }
        }
    }
}
