/** Tests of the assertions and of what they say when they fail. */
@NullMarked
package io.tidemark.requests;

import org.jspecify.annotations.NullMarked;
