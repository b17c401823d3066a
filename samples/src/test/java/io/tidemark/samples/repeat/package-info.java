/** Runs a sample many times in a row, for {@code samples/repeat.sh}; no sample itself. */
@NullMarked
package io.tidemark.samples.repeat;

import org.jspecify.annotations.NullMarked;
