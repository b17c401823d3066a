package io.tidemark.broker.transport;

/** Where a node gets its peers from. Each call makes a peer with a link of its own. On the loop only. */
public interface Peers {
    /**
     * @param purpose a short word for logs and for faults that are scoped by it, for example {@code replica-fetcher}
     */
    Peer open(String host, int port, String purpose);
}
