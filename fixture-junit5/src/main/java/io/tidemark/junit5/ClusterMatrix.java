package io.tidemark.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that is run once with each combination of clusters; the combination is the name that reports show. Topics and
 * configs that all of them have come from a {@link KafkaCluster} on the method or on its class, whose own counts the
 * combination replaces. More controllers than brokers cannot be combined, and such combinations are left out.
 *
 * <p>Each of the {@link #clients()} runs the same test with another kafka-clients in the class path's place. That takes
 * a class loader of its own, in which what may link to kafka-clients is there anew: the test class with its static fields,
 * the application, this fixture. There each such test is a run of its class, with its {@code @BeforeAll}, its
 * {@code @AfterAll} and the clusters of the class; of the one out here the constructor and the extensions' callbacks are
 * run too, on a cluster that stays as it was, but no method of the test's. So what binds a fixed port cannot be started by
 * them. Classes of JUnit, of the logging, of Mockito, of AssertJ and of the codecs are the same on both sides.
 *
 * <pre>{@code
 * @ClusterMatrix(brokers = {1, 3}, controllers = {1, 3}, combined = {false, true})
 * @KafkaCluster(topics = @Topic(name = "orders"))
 * void ordersAreKept(Cluster cluster) {}
 * // [1] brokers=1, controllers=1 apart; [2] brokers=1, controllers=1 combined; ...
 *
 * @ClusterMatrix(transactionVersions = {0, 2}, clientConfigs = {"acks=1", "acks=all"})
 * void paymentsAreBookedOnce(Cluster cluster) {}
 * // [1] brokers=1, controllers=1 apart, transaction.version=0, acks=1; ...
 *
 * @ClusterMatrix(clients = {"2.8.2", "4.4.0"}, protocols = GroupProtocol.CLASSIC)
 * void everyClientReadsThem(Cluster cluster, Consumer<String, String> consumer) {}
 * // [1] brokers=1, controllers=1 apart, clients=2.8.2, group.protocol=classic; ...
 * }</pre>
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@TestTemplate
@ExtendWith(KafkaClusterExtension.class)
@ExtendWith(MatrixInvocations.class)
public @interface ClusterMatrix {
    /** Counts of brokers. */
    int[] brokers() default 1;

    /** Counts of controllers. */
    int[] controllers() default 1;

    /** Controllers on nodes of their own, on the first brokers, or both one after the other. */
    boolean[] combined() default false;

    /**
     * Levels of the feature {@code transaction.version}: 0, 1 or 2, which is the newest and has a new producer epoch after
     * each transaction (KIP-890). None for the one that Kafka gives a new cluster.
     */
    int[] transactionVersions() default {};

    /**
     * Alternatives for broker configs in Kafka's names, each with its pairs in commas; empty for none:
     * {@code {"", "cluster.features=metadata.version=4.1", "min.insync.replicas=2, num.partitions=3"}}.
     */
    String[] configs() default "";

    /**
     * Versions of kafka-clients, as their jars have them: {@code {"2.8.2", "4.4.0"}}. None for the one that is on the class
     * path. Another one is the file {@code kafka-clients-2.8.2.jar} in the folder that the build has put it into: that of
     * the configuration parameter {@code tidemark.clients.directory}, else {@code target/kafka-clients}
     * ({@code build/kafka-clients} with Gradle). A version whose file is missing fails, and so does a test class that does
     * not link with it.
     */
    String[] clients() default {};

    /**
     * How the groups of injected consumers agree. None for what the clients have as their default. A protocol that the
     * brokers do not serve, or that the clients do not know, fails by name.
     */
    GroupProtocol[] protocols() default {};

    /**
     * Alternatives for the settings of every injected client, in the same shape:
     * {@code {"acks=1", "acks=all, linger.ms=5"}}.
     */
    String[] clientConfigs() default "";
}
