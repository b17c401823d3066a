package io.tidemark.broker.transaction.markers;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The markers for the partitions that one broker leads. One request at a time, with all that waits.
 *
 * <pre>
 *   idle --marker--> sending --answered, all well--> idle
 *                       |
 *                       +--failed, or something to repeat--> backing off --later--> idle or sending
 * </pre>
 */
final class MarkerQueue {
    private static final NodeLog LOG = NodeLog.of(MarkerQueue.class);
    private static final long REQUEST_TIMEOUT_MS = 30_000;
    private static final long FIRST_BACKOFF_MS = 10;
    private static final long MAX_BACKOFF_MS = 500;

    private final Peer leader;
    private final Loop loop;
    private final Outcomes outcomes;
    private final Set<Marker> waiting = new LinkedHashSet<>();
    private long backoffMs = FIRST_BACKOFF_MS;
    private boolean isBusy;
    private boolean isClosed;

    /** Hears how it went. */
    interface Outcomes {
        /**
         * @return true if something is to be repeated, so that the leader is left alone for a while
         */
        boolean onAnswer(List<Marker> sent, WriteTxnMarkersResponse response);

        void onNoAnswer(List<Marker> sent);
    }

    MarkerQueue(Peer leader, Loop loop, Outcomes outcomes) {
        this.leader = leader;
        this.loop = loop;
        this.outcomes = outcomes;
    }

    void add(Marker marker) {
        waiting.add(marker);
        if (!isBusy) {
            // Later in the same turn there may be more for the same request.
            isBusy = true;
            loop.execute(this::send);
        }
    }

    /** Takes out what waits and is not sent, to be given to another leader perhaps. */
    List<Marker> takeWaiting() {
        List<Marker> taken = new ArrayList<>(waiting);
        waiting.clear();
        return taken;
    }

    private void send() {
        isBusy = false;
        waiting.removeIf(marker -> marker.transaction().isDropped());
        if (isClosed || waiting.isEmpty()) {
            return;
        }
        List<Marker> sent = takeWaiting();
        isBusy = true;
        leader.send(MarkerRequests.request(sent), REQUEST_TIMEOUT_MS, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                if (outcomes.onAnswer(sent, (WriteTxnMarkersResponse) response)) {
                    backOff();
                } else {
                    backoffMs = FIRST_BACKOFF_MS;
                    send();
                }
            }

            @Override
            public void onFailure(IOException cause) {
                LOG.debug("No answer on {} transaction markers; they are sent again", sent.size(), cause);
                outcomes.onNoAnswer(sent);
                backOff();
            }
        });
    }

    private void backOff() {
        loop.schedule(backoffMs, this::send);
        backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
    }

    void close() {
        isClosed = true;
        waiting.clear();
        leader.close();
    }
}
