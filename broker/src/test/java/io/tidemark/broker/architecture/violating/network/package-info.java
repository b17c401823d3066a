/** Breaks rules on purpose. */
@NullMarked
package io.tidemark.broker.architecture.violating.network;

import org.jspecify.annotations.NullMarked;
