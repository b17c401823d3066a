package io.tidemark.broker.transport;

import io.tidemark.broker.time.Loop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/** The network of one node, whose links to other nodes pass through {@link LinkFaults}. */
final class FaultyNetwork implements Network {
    private final int nodeId;
    private final Network real;
    private final Loop loop;
    private final LinkFaults faults;
    private final int connectTimeoutMs;
    private final Set<FaultyLink> links = new LinkedHashSet<>();
    private final Runnable onRelease;

    FaultyNetwork(int nodeId, Network real, Loop loop, LinkFaults faults, int connectTimeoutMs) {
        this.nodeId = nodeId;
        this.real = real;
        this.loop = loop;
        this.faults = faults;
        this.connectTimeoutMs = connectTimeoutMs;
        this.onRelease = () -> loop.execute(() -> new ArrayList<>(links).forEach(FaultyLink::passWhatMay));
        faults.addListener(onRelease);
    }

    /** Hears of no release any more. From any thread. */
    void detach() {
        faults.removeListener(onRelease);
    }

    @Override
    public Listener listen(String name, String host, int port, FrameHandler handler) throws IOException {
        Listener listener = real.listen(name, host, port, handler);
        faults.nodeListens(listener.port(), nodeId);
        return listener;
    }

    @Override
    public Link connect(String host, int port, FrameHandler handler) {
        FaultyLink link = new FaultyLink(this, port, handler, toLink -> real.connect(host, port, toLink));
        links.add(link);
        link.connect(connectTimeoutMs);
        return link;
    }

    /** The node that listens on a port, -1 where none of the cluster ever did. */
    int nodeAt(int port) {
        return faults.nodeAt(port);
    }

    /** Nothing is held to who is no node of the cluster. */
    boolean isHeldTo(int peerId, String purpose) {
        return peerId >= 0 && faults.isHeld(nodeId, peerId, nodeId, purpose);
    }

    boolean isHeldFrom(int peerId, String purpose) {
        return peerId >= 0 && faults.isHeld(peerId, nodeId, nodeId, purpose);
    }

    void struckTo(int peerId, String purpose) {
        faults.struck(nodeId, peerId, nodeId, purpose);
    }

    void struckFrom(int peerId, String purpose) {
        faults.struck(peerId, nodeId, nodeId, purpose);
    }

    Loop loop() {
        return loop;
    }

    void forget(FaultyLink link) {
        links.remove(link);
    }
}
