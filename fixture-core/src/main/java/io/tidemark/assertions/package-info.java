/**
 * AssertJ assertions on what a cluster keeps inside.
 *
 * <p>Facts: an assertion judges one immutable snapshot; {@code eventually()} looks again every few milliseconds until it
 * holds, the time is up, or it can be seen that it never will; a failure shows the whole neighbourhood. Thread rule: an
 * assertion object belongs to one thread.
 */
@NullMarked
package io.tidemark.assertions;

import org.jspecify.annotations.NullMarked;
