package io.tidemark.broker.quorum;

/**
 * A voter of the metadata quorum, from {@code controller.quorum.voters}.
 *
 * @param nodeId its node id, -1 where only its address is known
 * @param host where it is reached
 * @param port its port on the controller listener
 */
public record QuorumVoter(int nodeId, String host, int port) {}
