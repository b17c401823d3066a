/**
 * Tests of the judge of pipelines: its verdict on made-up runs, on pipelines that are wrong on purpose, each of which it has
 * to convict of its own fault, and on right ones, which it has to acquit.
 */
@NullMarked
package io.tidemark.chaos.exactlyonce;

import org.jspecify.annotations.NullMarked;
