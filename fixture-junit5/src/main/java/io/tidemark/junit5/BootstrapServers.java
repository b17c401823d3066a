package io.tidemark.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Asks for the cluster's address for clients.
 *
 * <pre>{@code
 * @Test
 * void starts(@BootstrapServers String address) {
 *     application.start(Map.of("kafka.address", address));
 * }
 * }</pre>
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface BootstrapServers {}
