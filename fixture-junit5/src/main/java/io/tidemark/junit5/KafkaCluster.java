package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.FixtureDefaults;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A Kafka cluster for tests. On a class, or on a static field of type {@link Cluster}: one for the class and its nested
 * classes. On a test method, or on an instance field: one for each test. Test methods, lifecycle methods and
 * constructors may then ask for {@link Cluster}, {@code Producer<K, V>}, {@code Consumer<K, V>}, {@code Admin},
 * {@link BootstrapServers @BootstrapServers String}, {@link Topic @Topic String}, and what other modules offer, such as
 * {@code Chaos}.
 *
 * <pre>{@code
 * @KafkaCluster(brokers = 3, topics = @Topic(name = "orders", config = "min.insync.replicas=2"))
 * class OrdersTest {
 *     @Test
 *     void ordersAreKept(Cluster cluster, Producer<String, String> producer) throws Exception {
 *         producer.send(new ProducerRecord<>("orders", "key", "value")).get();
 *         assertThat(cluster.partition("orders", 0)).hasHighWatermark(1);
 *     }
 * }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(KafkaClusterExtension.class)
public @interface KafkaCluster {
    /** How many brokers, with the ids 1 and up. */
    int brokers() default 1;

    /** How many controllers, with the ids 1001 and up; a majority of them has to run for anything to be decided. */
    int controllers() default 1;

    /** True makes the first brokers the controllers too, where else controllers are nodes of their own. */
    boolean combined() default false;

    /** Topics that are there, with their leaders and their full ISR, before the first test. */
    Topic[] topics() default {};

    /** Broker configs in Kafka's names, each as {@code name=value}. They go before {@link FixtureDefaults}. */
    String[] config() default {};

    /** Where the cluster's own randomness comes from; 0 for a new seed each time. */
    long seed() default 0;

    /** How long the start may take, in seconds. */
    int startTimeoutSeconds() default 30;
}
