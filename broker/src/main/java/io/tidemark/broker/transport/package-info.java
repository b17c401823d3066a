/**
 * The network door. {@link io.tidemark.broker.transport.Network} passes whole frames (without their four length
 * bytes) to and from peers and clients; what is in a frame is not its business.
 * {@link io.tidemark.broker.transport.Peer} is the request-and-response view of a link to another node.
 *
 * <p>Thread rule: all callbacks come on the owning node's loop, and all calls are made there.
 */
@NullMarked
package io.tidemark.broker.transport;

import org.jspecify.annotations.NullMarked;
