package io.tidemark.requests;

/**
 * One request that a fault struck.
 *
 * <pre>{@code
 * assertThat(fault.strikes()).extracting(RequestStrike::clientId).containsOnly("orders-app");
 * }</pre>
 *
 * <pre>{@code
 * assertThat(fault.strikes()).extracting(RequestStrike::api).containsOnly("PRODUCE");
 * }</pre>
 *
 * @param nodeId the node that it was sent to
 * @param api Kafka's name of the API, for example {@code PRODUCE}
 * @param version the API's version
 * @param clientId who sent it; {@code node-1-...} for another node, empty where the client has no id
 * @param about the topics, groups and transactional ids that it names, in words; empty where it names none
 */
public record RequestStrike(int nodeId, String api, short version, String clientId, String about) {
    /** For example {@code PRODUCE v12 of [orders-app] to node 1 about orders-0}. */
    @Override
    public String toString() {
        return api + " v" + version + " of [" + clientId + "] to node " + nodeId
                + (about.isEmpty() ? "" : " about " + about);
    }
}
