/**
 * The real {@link io.tidemark.broker.time.Loop} and {@link io.tidemark.broker.transport.Network}, on Netty's NIO
 * transport, and the request-and-response client on top of any network.
 *
 * <p>Facts: one event loop with one thread per node, made by {@link io.tidemark.broker.network.NettyHost}; only the API
 * that Netty 4.1 and 4.2 share; no JVM-wide setting is touched and no JVM-wide thread of Netty's is woken; a frame's
 * length is checked before anything is allocated for it; records in a file leave by {@code sendfile}.
 *
 * <p>Thread rule: everything is on the loop's thread, except what {@link io.tidemark.broker.transport.NodeHost} and
 * {@link io.tidemark.broker.time.Loop} open to all.
 */
@NullMarked
package io.tidemark.broker.network;

import org.jspecify.annotations.NullMarked;
