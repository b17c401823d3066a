package io.tidemark.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Several clusters in one place; the compiler writes it where {@link KafkaCluster} is repeated.
 *
 * <pre>{@code
 * @KafkaCluster(name = "europe")
 * @KafkaCluster(name = "asia", brokers = 3)
 * class MirrorTest {}
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(KafkaClusterExtension.class)
public @interface KafkaClusters {
    KafkaCluster[] value();
}
