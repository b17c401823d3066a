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
 * <p>The client is the one of the class path, for there is one of it in a JVM: {@link #clientConfigs()} varies the
 * protocols that it speaks, and other versions of kafka-clients take another run each, by a Maven profile or a Gradle test
 * suite that has the other jar.
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
     * Alternatives for the settings of every injected client, in the same shape:
     * {@code {"group.protocol=classic", "group.protocol=consumer"}}.
     */
    String[] clientConfigs() default "";
}
