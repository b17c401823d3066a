package io.tidemark.broker.network;

import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Network;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.transport.Peers;

/**
 * Makes the peers of one node, on any network.
 *
 * @param nodeId the node that asks, part of the client id that others see
 */
public record PeerClients(int nodeId, Network network, Loop loop, Clock clock) implements Peers {
    @Override
    public Peer open(String host, int port, String purpose) {
        return new PeerClient(host, port, nodeId, purpose, network, loop, clock);
    }
}
