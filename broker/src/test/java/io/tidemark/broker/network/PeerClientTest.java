package io.tidemark.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.protocol.ResponseFrames;
import io.tidemark.broker.protocol.message.HeartbeatRequest;
import io.tidemark.broker.protocol.message.HeartbeatResponse;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Network;
import io.tidemark.broker.transport.Peer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class PeerClientTest {
    private static final long TIMEOUT_MS = 1_000;
    private static final short VERSION = 4;

    private final ManualClock clock = new ManualClock();
    private final StepLoop loop = new StepLoop();
    private final FakeNetwork network = new FakeNetwork();
    private final Peer peer = new PeerClients(7, network, loop, clock).open("host", 9, "fetcher");
    private final List<ApiMessage> responses = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    @Test
    void opensALinkAtTheFirstRequestAndKeepsIt() {
        assertThat(network.links).isEmpty();

        send();
        send();

        assertThat(network.links).hasSize(1);
        assertThat(network.link(0).sent).hasSize(2);
    }

    @Test
    void handsOutResponsesInTheOrderOfTheRequests() {
        send();
        send();

        network.link(0).receive(0, 1);
        network.link(0).receive(1, 2);

        assertThat(responses).containsExactly(response(1), response(2));
    }

    @Test
    void failsWhatIsUnderWayWhenTheLinkIsLost() {
        send();
        send();

        network.link(0).lose("reset");
        loop.runAll();

        assertThat(failures).hasSize(2).allMatch(failure -> failure.contains("[host:9]") && failure.contains("reset"));
    }

    @Test
    void failsAndClosesTheLinkWhenThereIsNoAnswerInTime() {
        send();

        pass(TIMEOUT_MS - 1);
        assertThat(failures).isEmpty();
        pass(1);

        assertThat(failures).singleElement().asString().contains("did not answer HEARTBEAT within 1000 ms");
        assertThat(network.link(0).open).isFalse();
    }

    @Test
    void waitsBeforeItConnectsAgainAndLongerEachTime() {
        send();
        network.link(0).lose("refused");
        send();
        assertThat(network.links).hasSize(1);
        pass(PeerClient.FIRST_BACKOFF_MS);
        assertThat(network.links).hasSize(2);
        network.link(1).lose("refused");
        send();

        pass(2 * PeerClient.FIRST_BACKOFF_MS - 1);
        assertThat(network.links).hasSize(2);
        pass(1);

        assertThat(network.links).hasSize(3);
        assertThat(network.link(2).sent).hasSize(1);
    }

    @Test
    void forgetsTheWaitsOnceALinkWasUp() {
        for (int i = 0; i < 5; i++) {
            send();
            pass(PeerClient.MAX_BACKOFF_MS);
            network.link(i).lose("refused");
        }
        send();
        pass(PeerClient.MAX_BACKOFF_MS);
        network.link(5).openNow();
        network.link(5).lose("reset");

        send();
        pass(PeerClient.FIRST_BACKOFF_MS);

        assertThat(network.links).hasSize(7);
    }

    @Test
    void closesALinkThatAnswersSomethingElse() {
        send();

        network.link(0).receive(55, 1);
        loop.runAll();

        assertThat(network.link(0).open).isFalse();
        assertThat(failures).singleElement().asString().contains("answered correlation id [55]; expected 0");
    }

    @Test
    void closesALinkThatAnswersBytesThatAreNoResponse() {
        send();

        network.link(0).handler.onFrame(network.link(0), Unpooled.wrappedBuffer(new byte[] {0, 0}));
        loop.runAll();

        assertThat(network.link(0).open).isFalse();
        assertThat(failures).singleElement().asString().contains("bytes that are not a response");
    }

    @Test
    void failsWhatIsUnderWayWhenItIsClosedAndOpensANewLinkAfterwards() {
        send();
        peer.close();
        loop.runAll();
        assertThat(failures).hasSize(1);

        send();

        assertThat(network.links).hasSize(2);
    }

    @Test
    void doesNotFailARequestWithinTheCallThatSendsIt() {
        send();
        network.link(0).lose("reset");

        assertThat(failures).isEmpty();
    }

    private void send() {
        peer.send(new HeartbeatRequest(), VERSION, TIMEOUT_MS, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                responses.add(response);
            }

            @Override
            public void onFailure(IOException cause) {
                failures.add(cause.getMessage());
            }
        });
    }

    private void pass(long ms) {
        clock.push(ms);
        loop.runAll();
    }

    private static HeartbeatResponse response(int errorCode) {
        return new HeartbeatResponse().setErrorCode((short) errorCode);
    }

    /** Runs its tasks and due timers when it is told to. */
    private final class StepLoop implements Loop {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private final TimerHeap timers = new TimerHeap();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public Timer schedule(long delayMs, Runnable task) {
            return timers.add(clock.monotonicMs() + delayMs, task);
        }

        @Override
        public <T> void runBeside(String lane, Callable<T> work, Completion<T> done) {
            throw new UnsupportedOperationException();
        }

        void runAll() {
            for (TimerHeap.Entry next = timers.peek();
                    next != null && next.deadlineMs <= clock.monotonicMs();
                    next = timers.peek()) {
                next.cancel();
                next.task.run();
            }
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }
    }

    private static final class FakeNetwork implements Network {
        final List<FakeLink> links = new ArrayList<>();

        FakeLink link(int index) {
            return links.get(index);
        }

        @Override
        public Listener listen(String name, String host, int port, FrameHandler handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Link connect(String host, int port, FrameHandler handler) {
            FakeLink link = new FakeLink(handler);
            links.add(link);
            return link;
        }
    }

    private static final class FakeLink implements Network.Link {
        final List<OutboundFrame> sent = new ArrayList<>();
        final Network.FrameHandler handler;
        boolean open = true;

        FakeLink(Network.FrameHandler handler) {
            this.handler = handler;
        }

        void openNow() {
            handler.onOpen(this);
        }

        void receive(int correlationId, int errorCode) {
            OutboundFrame frame = ResponseFrames.encode(ApiKey.HEARTBEAT, VERSION, correlationId, response(errorCode));
            ByteBuf bytes = ((OutboundFrame.Bytes) frame.parts().get(0)).buffer();
            handler.onFrame(this, bytes);
        }

        void lose(String why) {
            open = false;
            handler.onClosed(this, new IOException(why));
        }

        @Override
        public void send(OutboundFrame frame) {
            sent.add(frame);
        }

        @Override
        public void readable(boolean wanted) {}

        @Override
        public void close() {
            open = false;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public String listenerName() {
            return "";
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return null;
        }
    }
}
