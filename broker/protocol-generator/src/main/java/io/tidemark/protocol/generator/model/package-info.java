/**
 * Second of three steps: what the generated code must know of a message, with types resolved, versions narrowed to
 * those that can occur, and defaults checked against their types. Thread rule: read-only once built.
 */
@NullMarked
package io.tidemark.protocol.generator.model;

import org.jspecify.annotations.NullMarked;
