/** Tests of the cluster handle: with a backend that only remembers, and ({@code XIT}) with real nodes. */
@NullMarked
package io.tidemark;

import org.jspecify.annotations.NullMarked;
