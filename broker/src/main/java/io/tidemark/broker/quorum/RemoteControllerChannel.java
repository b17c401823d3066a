package io.tidemark.broker.quorum;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.transport.Peers;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reaches the controller over its listener, on a link of its own. */
final class RemoteControllerChannel implements ControllerChannel {
    private final QuorumSettings settings;
    private final QuorumAddresses addresses;
    private final Clock clock;
    private final Loop loop;
    private final Peers peers;
    private final String purpose;
    private @Nullable Peer peer;
    private @Nullable QuorumVoter target;
    private boolean isClosed;

    /**
     * @param purpose what the link is for, in a word
     */
    RemoteControllerChannel(
            QuorumSettings settings, QuorumAddresses addresses, Clock clock, Loop loop, Peers peers, String purpose) {
        this.settings = settings;
        this.addresses = addresses;
        this.clock = clock;
        this.loop = loop;
        this.peers = peers;
        this.purpose = purpose;
        addresses.onLeader(this::leaveFormerLeader);
    }

    /** What the former leader has not answered is asked of the new one, rather than waited for. */
    private void leaveFormerLeader() {
        Peer former = peer;
        if (former != null && !isClosed && !addresses.leaderOrAny().equals(target)) {
            peer = null;
            former.close();
        }
    }

    @Override
    public void send(ApiMessage request, long timeoutMs, Peer.Reply reply) {
        attempt(new Request(request, null, clock.monotonicMs() + timeoutMs, reply));
    }

    @Override
    public void send(ApiMessage request, short version, long timeoutMs, Peer.Reply reply) {
        attempt(new Request(request, version, clock.monotonicMs() + timeoutMs, reply));
    }

    void close() {
        isClosed = true;
        if (peer != null) {
            peer.close();
        }
    }

    /** A request until its time is up. */
    private record Request(ApiMessage message, @Nullable Short version, long deadlineMs, Peer.Reply reply) {}

    private void attempt(Request request) {
        long leftMs = request.deadlineMs() - clock.monotonicMs();
        if (isClosed || leftMs <= 0) {
            request.reply()
                    .onFailure(new IOException(
                            "No answer to " + request.message().getClass().getSimpleName()
                                    + " from the active controller, last looked for at " + target));
            return;
        }
        QuorumVoter asked = addresses.leaderOrAny();
        Peer link = link(asked);
        Peer.Reply reply = new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                if (ControllerErrors.saysNotController(response)) {
                    tryNext(request, asked);
                } else {
                    request.reply().onResponse(response);
                }
            }

            @Override
            public void onFailure(IOException cause) {
                tryNext(request, asked);
            }
        };
        if (request.version() == null) {
            link.send(request.message(), leftMs, reply);
        } else {
            link.send(request.message(), request.version(), leftMs, reply);
        }
    }

    private void tryNext(Request request, QuorumVoter asked) {
        if (asked.equals(addresses.leaderOrAny())) {
            addresses.next(asked);
        }
        loop.schedule(settings.retryBackoffMs(), () -> attempt(request));
    }

    private Peer link(QuorumVoter asked) {
        if (peer == null || !asked.equals(target)) {
            if (peer != null) {
                peer.close();
            }
            peer = peers.open(asked.host(), asked.port(), purpose);
            target = asked;
        }
        return peer;
    }
}
