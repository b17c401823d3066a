/** A Quarkus application, under Quarkus' own test runner and on a cluster of three brokers. */
package io.tidemark.samples.quarkus;
