package io.tidemark.broker.network;

import io.netty.channel.ChannelId;

/**
 * A channel's id that costs nothing: Netty's own looks at every network interface when it is first made. It equals
 * itself only, and its text is for logs.
 */
final class NodeChannelId implements ChannelId {
    private static final long serialVersionUID = 1L;

    @Override
    public String asShortText() {
        return Integer.toHexString(hashCode());
    }

    @Override
    public String asLongText() {
        return asShortText();
    }

    @Override
    public int compareTo(ChannelId other) {
        return asLongText().compareTo(other.asLongText());
    }

    @Override
    public String toString() {
        return asShortText();
    }
}
