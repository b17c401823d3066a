/** A Spring Boot application with listeners, under Spring's own test runner and on a cluster of three brokers. */
package io.tidemark.samples.spring;
