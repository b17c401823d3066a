package io.tidemark.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says which of several clusters a parameter or a field belongs to: by {@link KafkaCluster#name()}, or by the name of the
 * field that holds the cluster.
 *
 * <pre>{@code
 * @Test
 * @KafkaCluster(name = "europe")
 * @KafkaCluster(name = "asia")
 * void mirrors(@FromCluster("europe") Producer<String, String> source, @FromCluster("asia") Consumer<String, String> sink) {}
 * }</pre>
 */
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface FromCluster {
    /** The cluster's name; empty for the nearest cluster, whatever its name. */
    String value() default "";
}
