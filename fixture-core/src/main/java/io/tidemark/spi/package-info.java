/**
 * How other modules offer objects to be injected into tests. A {@link io.tidemark.spi.ParameterProvider} is found with
 * {@link java.util.ServiceLoader}; a test framework's extension asks it, so that neither needs to know the other.
 *
 * <p>Facts: a provider has no state; what must be closed it hands to the {@link io.tidemark.spi.InjectionScope}, which
 * ends with the test or the class. Thread rule: providers are called from any thread.
 */
@NullMarked
package io.tidemark.spi;

import org.jspecify.annotations.NullMarked;
