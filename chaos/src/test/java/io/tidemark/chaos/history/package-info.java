/** The history checker, on histories made by hand and on recorded ones. */
@NullMarked
package io.tidemark.chaos.history;

import org.jspecify.annotations.NullMarked;
