/**
 * The request APIs: {@link io.tidemark.broker.api.RequestRouter} decodes a frame and hands it to the one handler of its
 * API key; {@code XxxHandler} translates between messages and the parts of the broker that decide.
 *
 * <p>Facts: what has no handler is not advertised; a link has one request in hand at a time, so answers keep the order
 * of requests. Thread rule: everything runs on the node's loop.
 */
@NullMarked
package io.tidemark.broker.api;

import org.jspecify.annotations.NullMarked;
