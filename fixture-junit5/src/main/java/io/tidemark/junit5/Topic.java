package io.tidemark.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A topic: one of a cluster's, in {@link KafkaCluster#topics()}, or a new one that is injected, by its name into a
 * {@code String} or as a {@link io.tidemark.TopicHandle}.
 *
 * <pre>{@code
 * @Test
 * void sends(@Topic(partitions = 3) String topic, Producer<String, String> producer) throws Exception {
 *     producer.send(new ProducerRecord<>(topic, "value")).get();
 * }
 * }</pre>
 */
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Topic {
    /** Its name; a random one where none is given. */
    String name() default "";

    int partitions() default 1;

    /** How many replicas; 0 for three, or one per broker where there are fewer. */
    int replicationFactor() default 0;

    /**
     * The brokers of each partition instead of a count, the preferred leader first: {@code {"1,2", "2,3"}} has partition
     * 0 on brokers 1 and 2, partition 1 on brokers 2 and 3.
     */
    String[] replicas() default {};

    /** Topic configs in Kafka's names, each as {@code name=value}. */
    String[] config() default {};
}
