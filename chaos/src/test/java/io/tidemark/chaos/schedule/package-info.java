/** Schedules as text and played on a cluster. */
@NullMarked
package io.tidemark.chaos.schedule;

import org.jspecify.annotations.NullMarked;
