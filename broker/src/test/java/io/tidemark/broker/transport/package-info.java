/** Tests of what stands at the network door and hurts it: faults of links, and the door that every request comes through. */
@NullMarked
package io.tidemark.broker.transport;

import org.jspecify.annotations.NullMarked;
