/**
 * How a large suite fares in which every test has its own cluster. {@link io.tidemark.scale.ScaleComparison} holds it
 * against few classes that share theirs. Facts: nothing here is a test of the build; {@code mvn -q -Pscale} runs it.
 */
package io.tidemark.scale;
