package io.tidemark.broker.group;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.InvalidMessageException;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.message.ConsumerProtocolSubscription;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads what consumers subscribe to out of their metadata, which is otherwise none of the coordinator's business. */
final class Subscriptions {
    private Subscriptions() {}

    /** The topics that the group reads, or null where it is no consumer group or its metadata cannot be read. */
    static @Nullable Set<String> topicsOf(ClassicGroup group) {
        if (!group.usesConsumerProtocol()) {
            return null;
        }
        Set<String> topics = new TreeSet<>();
        if (!group.hasMembers()) {
            return topics;
        }
        String protocolName = group.protocolName();
        if (protocolName == null) {
            return null;
        }
        try {
            for (Member member : group.members()) {
                topics.addAll(parse(member.metadata(protocolName)));
            }
        } catch (InvalidMessageException | IndexOutOfBoundsException e) {
            return null;
        }
        return topics;
    }

    private static Set<String> parse(byte[] metadata) {
        ByteBuf bytes = Unpooled.wrappedBuffer(metadata);
        short version = bytes.readShort();
        ConsumerProtocolSubscription subscription = new ConsumerProtocolSubscription();
        if (version < subscription.lowestSupportedVersion()) {
            throw new InvalidMessageException("Subscription of a consumer has version " + version + "; expected "
                    + subscription.lowestSupportedVersion() + " or higher");
        }
        // Newer versions only add fields behind those that are known (KIP-429).
        subscription.read(new MessageReader(bytes), (short) Math.min(version, subscription.highestSupportedVersion()));
        return new TreeSet<>(subscription.topics());
    }
}
