/** Tests of the extension, each run through JUnit's own engine. */
@NullMarked
package io.tidemark.junit5;

import org.jspecify.annotations.NullMarked;
