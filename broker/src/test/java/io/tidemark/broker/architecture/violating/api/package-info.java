/** Breaks rules on purpose. */
@NullMarked
package io.tidemark.broker.architecture.violating.api;

import org.jspecify.annotations.NullMarked;
