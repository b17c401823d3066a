/**
 * First of three steps: the JSON of a spec file into plain records, as written, with Kafka's defaults for what is left
 * out. Nothing is resolved here. Thread rule: values are immutable; a parser belongs to one thread.
 */
@NullMarked
package io.tidemark.protocol.generator.parse;

import org.jspecify.annotations.NullMarked;
