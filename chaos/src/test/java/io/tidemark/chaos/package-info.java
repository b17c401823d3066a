/** Tests of chaos on real clusters. */
@NullMarked
package io.tidemark.chaos;

import org.jspecify.annotations.NullMarked;
