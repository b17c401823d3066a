/** Tests of the assertions and of what they say when they fail. */
@NullMarked
package io.tidemark.assertions;

import org.jspecify.annotations.NullMarked;
