/** Tests of what a cluster remembers of itself. */
@NullMarked
package io.tidemark.journal;

import org.jspecify.annotations.NullMarked;
