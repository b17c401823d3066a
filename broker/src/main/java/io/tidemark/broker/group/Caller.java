package io.tidemark.broker.group;

/**
 * Who asks.
 *
 * @param clientId the client's own name, empty where it gave none
 * @param clientHost the client's address as Kafka shows it, for example {@code /127.0.0.1}
 * @param apiVersion the version of the request
 */
public record Caller(String clientId, String clientHost, short apiVersion) {}
