package io.tidemark.broker.types;

/**
 * Where a listener of a node can be reached.
 *
 * @param listener the listener's name, for example {@code PLAINTEXT}
 * @param host the host that peers and clients are told
 * @param port the port, 1 to 65535
 * @param securityProtocol Kafka's id of the security protocol: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL
 */
public record Endpoint(String listener, String host, int port, short securityProtocol) {
    @Override
    public String toString() {
        return listener + "://" + host + ":" + port;
    }
}
