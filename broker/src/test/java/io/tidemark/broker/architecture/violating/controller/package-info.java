/** Breaks rules on purpose. */
@NullMarked
package io.tidemark.broker.architecture.violating.controller;

import org.jspecify.annotations.NullMarked;
