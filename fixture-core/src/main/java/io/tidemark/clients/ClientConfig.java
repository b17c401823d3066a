package io.tidemark.clients;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Settings, in Kafka's names, of a client that is injected. They go before the fixture's. May be put on an annotation of
 * one's own.
 *
 * <pre>{@code
 * @Test
 * void reads(@ClientConfig({"group.id=billing", "max.poll.records=10"}) Consumer<String, String> consumer) {}
 * }</pre>
 */
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ClientConfig {
    /** Each as {@code name=value}. */
    String[] value();
}
