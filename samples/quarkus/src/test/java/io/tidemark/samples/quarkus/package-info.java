/** The test of the application, and the resource that gives it the address of a cluster before it starts. */
package io.tidemark.samples.quarkus;
