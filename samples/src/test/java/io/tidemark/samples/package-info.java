/**
 * Tests that a user would write. Each is one story, told on the console in a few lines, and uses nothing but what a user
 * has: {@code @KafkaCluster}, chaos, kafka-clients of any version from 2.8 on, and assertions. Thread rule: JUnit's.
 */
@NullMarked
package io.tidemark.samples;

import org.jspecify.annotations.NullMarked;
