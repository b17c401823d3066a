/**
 * The house rules, as tests: the layers, the four doors, the pure packages, and what holds everywhere. Each rule gives
 * its reason and what to use in place of what it forbids, and each is tested to bite on the classes below {@code
 * violating}, which break it on purpose.
 */
@NullMarked
package io.tidemark.broker.architecture;

import org.jspecify.annotations.NullMarked;
