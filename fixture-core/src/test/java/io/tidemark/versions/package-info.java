/**
 * Clients of two versions of Kafka in one test: those on the class path, and older ones whose classes are kept apart by a
 * class loader of their own. Tests see both through one interface of plain Java types.
 */
@NullMarked
package io.tidemark.versions;

import org.jspecify.annotations.NullMarked;
