package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.FixtureDefaults;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A Kafka cluster for tests. On a class, or on a static field of type {@link Cluster}: one for the class and its nested
 * classes. On a test method, on an instance field, or on a parameter: one for each test. Test methods, lifecycle methods
 * and constructors may then ask for {@link Cluster}, {@code Producer<K, V>}, {@code Consumer<K, V>}, {@code Admin},
 * {@link BootstrapServers @BootstrapServers String}, {@link Topic @Topic String}, {@link io.tidemark.ClusterClock}, and
 * what other modules offer, such as {@code Chaos}. Fields of those types that carry no annotation of somebody else are
 * filled as well.
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
 *
 * <p>It may be put on an annotation of one's own, and there may be several in one place, each with a name for
 * {@link FromCluster}. {@link ClusterExtension} does the same in code.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Repeatable(KafkaClusters.class)
@ExtendWith(KafkaClusterExtension.class)
public @interface KafkaCluster {
    /** What {@link FromCluster} calls it; the field's name where it stands on a field and nothing is said. */
    String name() default "";

    /** How many brokers, with the ids 1 and up. */
    int brokers() default 1;

    /** How many controllers, with the ids 1001 and up; a majority of them has to run for anything to be decided. */
    int controllers() default 1;

    /** True makes the first brokers the controllers too, where else controllers are nodes of their own. */
    boolean combined() default false;

    /**
     * Names of listeners that every broker has besides the default, each with a port of its own, for clients that come in
     * another way; {@link BootstrapServers#listener()} gives their address. They speak plaintext.
     */
    String[] listeners() default {};

    /** Racks for the brokers, round robin. */
    String[] racks() default {};

    /** Topics that are there, with their leaders and their full ISR, before the first test. */
    Topic[] topics() default {};

    /** Broker configs in Kafka's names, each as {@code name=value}. They go before {@link FixtureDefaults}. */
    String[] config() default {};

    /**
     * A system property that holds the cluster's address while the cluster runs, for an application that reads its own.
     * Two clusters cannot hold the same one at once, unless one belongs to a test in the other's class.
     */
    String systemProperty() default "";

    /**
     * True has the whole run share clusters that are asked for alike, one test or class at a time: the next one gets the
     * same cluster after a {@link Cluster#reset()} instead of a new one.
     */
    boolean shared() default false;

    /** Where the cluster's own randomness comes from; 0 for a new seed each time. */
    long seed() default 0;

    /** How long the start may take, in seconds. */
    int startTimeoutSeconds() default 30;
}
