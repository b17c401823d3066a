/** Breaks rules on purpose. */
@NullMarked
package io.tidemark.broker.architecture.violating.unplanned;

import org.jspecify.annotations.NullMarked;
