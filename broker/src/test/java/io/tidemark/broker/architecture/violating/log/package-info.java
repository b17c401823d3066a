/** Breaks rules on purpose. */
@NullMarked
package io.tidemark.broker.architecture.violating.log;

import org.jspecify.annotations.NullMarked;
