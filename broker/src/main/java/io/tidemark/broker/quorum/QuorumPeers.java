package io.tidemark.broker.quorum;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.raft.RaftReply;
import io.tidemark.broker.raft.RaftRequest;
import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.Endpoint;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Links to the other voters, for votes and for the beginning and the end of an epoch. On the node's loop only. */
final class QuorumPeers {
    private static final NodeLog LOG = NodeLog.of(QuorumPeers.class);

    private final QuorumSettings settings;
    private final Peers peers;
    private final List<Endpoint> selfEndpoints;
    private final SortedMap<Integer, Link> links = new TreeMap<>();
    private boolean isClosed;

    /** @param selfEndpoints where this node's controller listeners are reached */
    QuorumPeers(QuorumSettings settings, Peers peers, List<Endpoint> selfEndpoints) {
        this.settings = settings;
        this.peers = peers;
        this.selfEndpoints = selfEndpoints;
    }

    private record Link(Endpoint to, Peer peer) {}

    /** Takes what becomes of a request. */
    interface Answer {
        /** @param reply null where there was none that says anything */
        void take(@Nullable RaftReply reply);
    }

    /** Sends; the answer is called once, later, unless this is closed before. */
    void send(Voter to, RaftRequest request, Answer answer) {
        if (isClosed || to.endpoints().isEmpty()) {
            return;
        }
        ApiMessage message = QuorumMessages.request(request, to, settings.clusterId(), selfEndpoints);
        link(to).send(message, settings.requestTimeoutMs(), new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                if (!isClosed) {
                    answer.take(QuorumMessages.reply(response));
                }
            }

            @Override
            public void onFailure(IOException cause) {
                LOG.debug("Voter {} did not answer {}: {}", to.nodeId(), request, cause.getMessage());
                if (!isClosed) {
                    answer.take(null);
                }
            }
        });
    }

    /**
     * A configured address stands, as for the fetches: the log of a copied folder tells where the nodes were that it was
     * copied from, and those may still be there. Apache Kafka goes by the log.
     */
    private Endpoint endpointOf(Voter to) {
        Endpoint logged = to.endpoints().get(0);
        for (QuorumVoter configured : settings.voters()) {
            if (configured.nodeId() == to.nodeId()) {
                return new Endpoint(logged.listener(), configured.host(), configured.port(), logged.securityProtocol());
            }
        }
        return logged;
    }

    private Peer link(Voter to) {
        Endpoint endpoint = endpointOf(to);
        Link known = links.get(to.nodeId());
        if (known != null && known.to().equals(endpoint)) {
            return known.peer();
        }
        if (known != null) {
            known.peer().close();
        }
        Link opened = new Link(endpoint, peers.open(endpoint.host(), endpoint.port(), "quorum"));
        links.put(to.nodeId(), opened);
        return opened.peer();
    }

    void close() {
        isClosed = true;
        links.values().forEach(link -> link.peer().close());
        links.clear();
    }
}
