package io.tidemark.broker.network;

import io.netty.channel.ChannelId;
import java.util.concurrent.atomic.AtomicLong;

/** A channel's id that costs nothing: Netty's own looks at every network interface when it is first made. */
final class NodeChannelId implements ChannelId {
    private static final long serialVersionUID = 1L;
    private static final AtomicLong NEXT = new AtomicLong();

    private final long number = NEXT.incrementAndGet();

    @Override
    public String asShortText() {
        return Long.toString(number);
    }

    @Override
    public String asLongText() {
        return asShortText();
    }

    @Override
    public int compareTo(ChannelId other) {
        return other instanceof NodeChannelId that
                ? Long.compare(number, that.number)
                : asLongText().compareTo(other.asLongText());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeChannelId that && number == that.number;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }

    @Override
    public String toString() {
        return asShortText();
    }
}
