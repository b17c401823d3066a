/**
 * A cluster in a JUnit test. {@link io.tidemark.junit5.KafkaCluster} on a class gives one cluster to all its tests; on a
 * method or an instance field, one to each test.
 *
 * <p>Facts: every cluster, client and chaos lives in the JUnit store of the class or test that it belongs to and is
 * closed with it; nothing is static, so tests may run in parallel; the nearest cluster wins (test, class, enclosing
 * class), and two equally near ones are an error. Runs on JUnit 5.14 and 6. Thread rule: as JUnit's own extensions, any
 * thread.
 */
@NullMarked
package io.tidemark.junit5;

import org.jspecify.annotations.NullMarked;
