/** Breaks rules on purpose. */
@NullMarked
package io.tidemark.broker.architecture.violating.types;

import org.jspecify.annotations.NullMarked;
