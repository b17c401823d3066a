/**
 * The disk door: every file that a node touches is opened, read, written, mapped, forced, renamed and deleted through
 * {@link io.tidemark.broker.disk.Disk}. A simulated disk can lose what was never forced, and can fail.
 *
 * <p>What the system keeps of the files in memory is reached through {@link io.tidemark.broker.disk.PageCache}, the one
 * place with native code; it is looked for at its first use and not before.
 *
 * <p>Thread rule: a {@code Disk} is used from its node's loop and from that loop's background pool; a single file is
 * never used from both at the same time, except for positional reads and {@code force}, which are safe from any
 * thread.
 */
@NullMarked
package io.tidemark.broker.disk;

import org.jspecify.annotations.NullMarked;
