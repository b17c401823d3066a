package io.tidemark.broker.architecture.violating.log;

import io.netty.channel.Channel;

/** Writes to a Netty channel. */
public class UsesNettyChannels {
    void send(Channel channel, Object message) {
        channel.write(message);
    }
}
