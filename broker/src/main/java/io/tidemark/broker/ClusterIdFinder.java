package io.tidemark.broker;

import io.tidemark.broker.BrokerConfig.Voter;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.message.DescribeClusterRequest;
import io.tidemark.broker.protocol.message.DescribeClusterResponse;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.transport.Peers;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Asks the controllers, one after the other until one answers, which cluster this is: for a node that was told no
 * cluster id and has no formatted folder yet.
 */
final class ClusterIdFinder {
    private static final NodeLog LOG = NodeLog.of(ClusterIdFinder.class);
    private static final byte CONTROLLERS = 2;
    private static final long TIMEOUT_MS = 2_000;
    private static final long RETRY_BACKOFF_MS = 100;

    private final Loop loop;
    private final Peers peers;
    private final List<Voter> voters;
    private final Consumer<String> onFound;
    private int next;

    /**
     * @param onFound told the id, once
     */
    ClusterIdFinder(Loop loop, Peers peers, List<Voter> voters, Consumer<String> onFound) {
        this.loop = loop;
        this.peers = peers;
        this.voters = voters;
        this.onFound = onFound;
    }

    void ask() {
        Voter voter = voters.get(next++ % voters.size());
        Peer peer = peers.open(voter.host(), voter.port(), "cluster-id");
        DescribeClusterRequest request = new DescribeClusterRequest().setEndpointType(CONTROLLERS);
        peer.send(request, TIMEOUT_MS, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                peer.close();
                onAnswer(((DescribeClusterResponse) response).clusterId());
            }

            @Override
            public void onFailure(IOException cause) {
                peer.close();
                LOG.debug("Controller [{}:{}] did not tell the cluster's id", voter.host(), voter.port(), cause);
                loop.schedule(RETRY_BACKOFF_MS, ClusterIdFinder.this::ask);
            }
        });
    }

    private void onAnswer(String clusterId) {
        if (clusterId.isEmpty()) {
            loop.schedule(RETRY_BACKOFF_MS, this::ask);
        } else {
            onFound.accept(clusterId);
        }
    }
}
