/** Tests of what a node logs. */
@NullMarked
package io.tidemark.broker.journal;

import org.jspecify.annotations.NullMarked;
