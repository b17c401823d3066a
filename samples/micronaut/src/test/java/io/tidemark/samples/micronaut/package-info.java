/** A Micronaut application with a listener, under Micronaut's own test runner and on a cluster of three brokers. */
package io.tidemark.samples.micronaut;
