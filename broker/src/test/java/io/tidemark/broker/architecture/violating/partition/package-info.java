/** Breaks rules on purpose. */
@NullMarked
package io.tidemark.broker.architecture.violating.partition;

import org.jspecify.annotations.NullMarked;
