/** Tests of how nodes are run, without running any. */
@NullMarked
package io.tidemark.backend;

import org.jspecify.annotations.NullMarked;
