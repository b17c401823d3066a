/** Tests of what failed tests leave. */
@NullMarked
package io.tidemark.evidence;

import org.jspecify.annotations.NullMarked;
