/**
 * The benchmark: {@link io.tidemark.beside.bench.Benchmark} forks a fresh JVM for every measurement, {@link
 * io.tidemark.beside.bench.Measurement} takes it there, once cold and then again in the warm JVM.
 */
@NullMarked
package io.tidemark.beside.bench;

import org.jspecify.annotations.NullMarked;
