package io.tidemark.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Asks for the cluster's address for clients: as a {@code String}, or as a {@code Map<String, String>} or
 * {@code Properties} that have it under the name that the application reads.
 *
 * <pre>{@code
 * @Test
 * void starts(@BootstrapServers String address, @BootstrapServers(property = "kafka.address") Map<String, String> settings) {
 *     application.start(settings);
 * }
 * }</pre>
 */
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface BootstrapServers {
    /** The listener of {@link KafkaCluster#listeners()} by which clients come in; empty for the default. */
    String listener() default "";

    /** The name of the address in a map. */
    String property() default "bootstrap.servers";
}
