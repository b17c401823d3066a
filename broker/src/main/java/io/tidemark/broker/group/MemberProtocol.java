package io.tidemark.broker.group;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A protocol that a member supports (for a consumer: an assignor), and the member's metadata for it. */
final class MemberProtocol {
    private final String name;
    private final byte[] metadata;

    /** @param metadata not copied; nobody may change it any more */
    MemberProtocol(String name, byte[] metadata) {
        this.name = name;
        this.metadata = metadata;
    }

    String name() {
        return name;
    }

    byte[] metadata() {
        return metadata;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemberProtocol that && name.equals(that.name) && Arrays.equals(metadata, that.metadata);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + Arrays.hashCode(metadata);
    }

    @Override
    public String toString() {
        return name;
    }
}
