package io.tidemark.junit5;

import io.tidemark.Cluster;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Finds every cluster that a class, its instance or a method declares, and refuses what stands in a wrong place. */
final class Declarations {
    private static final List<Class<? extends Annotation>> LIFECYCLE =
            List.of(BeforeAll.class, BeforeEach.class, AfterEach.class, AfterAll.class);

    private Declarations() {}

    /**
     * Of the annotations of a class, of its superclasses and of their interfaces, without its fields. What is nearer to the
     * class goes before what it inherits under the same name.
     */
    static List<ClusterDeclaration> ofClass(Class<?> testClass) {
        refuseOnOtherMethods(testClass);
        Map<String, ClusterDeclaration> byName = new LinkedHashMap<>();
        collect(testClass, byName);
        return List.copyOf(byName.values());
    }

    private static void collect(Class<?> type, Map<String, ClusterDeclaration> byName) {
        List<Class<?>> above = new ArrayList<>(List.of(type.getInterfaces()));
        if (type.getSuperclass() != null && type.getSuperclass() != Object.class) {
            above.add(0, type.getSuperclass());
        }
        List<KafkaCluster> inherited = new ArrayList<>();
        for (Class<?> one : above) {
            collect(one, byName);
            inherited.addAll(AnnotationSupport.findRepeatableAnnotations(one, KafkaCluster.class));
        }
        List<KafkaCluster> own = new ArrayList<>(AnnotationSupport.findRepeatableAnnotations(type, KafkaCluster.class));
        own.removeAll(inherited);
        declarations(own, "class " + type.getSimpleName(), false)
                .forEach(declaration -> byName.put(declaration.name(), declaration));
    }

    /** Of a test method and its parameters. */
    static List<ClusterDeclaration> ofMethod(Method method) {
        List<ClusterDeclaration> all = ofElement(method, "method " + method.getName(), false);
        for (Parameter parameter : method.getParameters()) {
            all.addAll(ofParameter(parameter));
        }
        return all;
    }

    static List<ClusterDeclaration> ofParameter(Parameter parameter) {
        String place = placeOf(parameter);
        List<ClusterDeclaration> all = ofElement(parameter, place, true);
        if (!all.isEmpty() && parameter.getType() != Cluster.class) {
            throw wrongType(place, parameter.getType());
        }
        if (all.size() > 1) {
            throw tooMany(place, all.size(), "parameter");
        }
        return all;
    }

    /** Of one field, or null where it declares none. */
    static @Nullable ClusterDeclaration ofField(Field field) {
        List<KafkaCluster> annotations = AnnotationSupport.findRepeatableAnnotations(field, KafkaCluster.class);
        if (annotations.isEmpty()) {
            return null;
        }
        String place = placeOf(field);
        if (annotations.size() > 1) {
            throw tooMany(place, annotations.size(), "field");
        }
        if (field.getType() != Cluster.class) {
            throw wrongType(place, field.getType());
        }
        return ClusterDeclaration.of(annotations.get(0), place, field.getName(), false);
    }

    /** The extensions in the fields of a class, those of its superclasses first. */
    static List<ClusterDeclaration> ofExtensions(Class<?> testClass, @Nullable Object testInstance) {
        List<ClusterDeclaration> all = new ArrayList<>();
        for (Field field : fields(testClass, testInstance == null)) {
            if (field.getType() == ClusterExtension.class
                    && AnnotationSupport.isAnnotated(field, RegisterExtension.class)
                    && FieldAccess.read(field, testInstance) instanceof ClusterExtension extension) {
                all.add(extension.declaration(placeOf(field), field.getName()));
            }
        }
        return all;
    }

    /** The static or the instance fields of a class and its superclasses, from the top. */
    static List<Field> fields(Class<?> testClass, boolean areStatic) {
        return ReflectionSupport.findFields(
                testClass,
                field -> Modifier.isStatic(field.getModifiers()) == areStatic && !field.isSynthetic(),
                HierarchyTraversalMode.TOP_DOWN);
    }

    static String placeOf(Field field) {
        return "field [" + field.getName() + "] of " + field.getDeclaringClass().getSimpleName();
    }

    static String placeOf(Parameter parameter) {
        return "parameter [" + parameter.getType().getSimpleName() + " " + parameter.getName() + "] of "
                + parameter.getDeclaringExecutable().getDeclaringClass().getSimpleName() + "."
                + parameter.getDeclaringExecutable().getName();
    }

    private static List<ClusterDeclaration> ofElement(AnnotatedElement element, String place, boolean aside) {
        return declarations(AnnotationSupport.findRepeatableAnnotations(element, KafkaCluster.class), place, aside);
    }

    private static List<ClusterDeclaration> declarations(List<KafkaCluster> annotations, String place, boolean aside) {
        List<ClusterDeclaration> all = new ArrayList<>();
        for (KafkaCluster annotation : annotations) {
            ClusterDeclaration found = ClusterDeclaration.of(annotation, place, "", aside);
            if (all.stream().anyMatch(other -> other.name().equals(found.name()))) {
                throw new ExtensionConfigurationException("@KafkaCluster on " + place + ": two of them are "
                        + (found.name().isEmpty() ? "without a name" : "named [" + found.name() + "]")
                        + "; give each its own name()");
            }
            all.add(found);
        }
        return all;
    }

    private static void refuseOnOtherMethods(Class<?> testClass) {
        for (Method method : AnnotationSupport.findAnnotatedMethods(
                testClass, KafkaCluster.class, HierarchyTraversalMode.TOP_DOWN)) {
            if (!AnnotationSupport.isAnnotated(method, Testable.class)
                    && LIFECYCLE.stream().noneMatch(lifecycle -> AnnotationSupport.isAnnotated(method, lifecycle))) {
                throw new ExtensionConfigurationException("@KafkaCluster on method " + method.getName()
                        + ": it is no test; make it one with @Test, or put @KafkaCluster on the class or on the tests");
            }
            for (Class<? extends Annotation> lifecycle : LIFECYCLE) {
                if (AnnotationSupport.isAnnotated(method, lifecycle)) {
                    throw new ExtensionConfigurationException("@KafkaCluster on method " + method.getName()
                            + ": it is no test but [@" + lifecycle.getSimpleName()
                            + "]; put @KafkaCluster on the class or on the tests");
                }
            }
        }
    }

    private static ExtensionConfigurationException tooMany(String place, int count, String what) {
        return new ExtensionConfigurationException("@KafkaCluster on " + place + ": there are [" + count
                + "] of them, and a " + what + " holds one cluster; drop the others");
    }

    private static ExtensionConfigurationException wrongType(String place, Class<?> type) {
        return new ExtensionConfigurationException("@KafkaCluster on " + place + ": its type is [" + type.getName()
                + "]; make it " + Cluster.class.getName()
                + ", or ask for what belongs to a cluster with @FromCluster");
    }
}
