/** Breaks rules on purpose. */
@NullMarked
package io.tidemark.broker.architecture.violating.record;

import org.jspecify.annotations.NullMarked;
