/** The house rules of this module, as tests that are tested to bite. */
@NullMarked
package io.tidemark.architecture;

import org.jspecify.annotations.NullMarked;
