package io.tidemark.junit5;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one combination of a {@link ClusterMatrix}.
 *
 * @param version of kafka-clients; null for the one on the class path, whichever it is
 * @param protocol of the consumers' groups; null for the clients' default
 * @param config settings of every client, as written
 */
record ClientChoice(
        @Nullable ClientVersion version, @Nullable GroupProtocol protocol, String config) {
    /** True where the test needs other clients than a class loader has. */
    boolean isAnotherThanIn(ClassLoader classes) {
        return version != null
                && !ClientVersion.in(classes).filter(version::equals).isPresent();
    }

    Optional<ClientVersion> versionFor(ClassLoader classes) {
        return version == null ? ClientVersion.in(classes) : Optional.of(version);
    }

    /** As reports show it, each part with a comma before it. */
    @Override
    public String toString() {
        return (version == null ? "" : ", clients=" + version)
                + (protocol == null ? "" : ", " + GroupProtocol.SETTING + "=" + protocol.value())
                + (config.isBlank() ? "" : ", " + config);
    }
}
