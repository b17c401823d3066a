package io.tidemark.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.protocol.RequestFrames;
import io.tidemark.broker.protocol.ResponseFrames;
import io.tidemark.broker.protocol.message.HeartbeatRequest;
import io.tidemark.broker.protocol.message.HeartbeatResponse;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.time.VirtualTime;
import io.tidemark.broker.transport.Network.FrameHandler;
import io.tidemark.broker.transport.Network.Link;
import io.tidemark.broker.transport.Network.Listener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeDoorTest {
    private static final short VERSION = 4;
    private static final short FROM_NODE = 0;
    private static final short FROM_DOOR = 27;

    private final VirtualTime time = new VirtualTime();
    private final Faults faults = new Faults();
    private final Host host = new Host(time.newLoop());
    private final NodeDoor door = new NodeDoor(1, host, faults);
    private final Node node = new Node();
    private final Wire wire = new Wire();

    @BeforeEach
    void listens() throws IOException {
        door.network().listen("L", "", 9092, node);
        host.handler.onOpen(wire);
    }

    @Test
    void passesEverythingWhereNobodyIsAwake() {
        faults.isAwake = false;

        ask("billing");

        assertThat(node.groups).containsExactly("billing");
        assertThat(wire.errors).containsExactly(FROM_NODE);
        assertThat(faults.seen).isEmpty();
        assertThat(wire.isReadable).isTrue();
    }

    @Test
    void aRequestThatWaitsKeepsItsBytesAndItsLinkUnread() {
        ask("billing");

        assertThat(node.groups).isEmpty();
        assertThat(wire.isReadable).isFalse();

        faults.seen.get(0).pass();

        assertThat(node.groups).containsExactly("billing");
        assertThat(wire.errors).containsExactly(FROM_NODE);
        assertThat(wire.isReadable).isTrue();
    }

    @Test
    void anAnswerOfTheDoorIsNotTheNodes() {
        faults.onRequest = request -> request.answer(new HeartbeatResponse().setErrorCode(FROM_DOOR));

        ask("billing");

        assertThat(node.groups).isEmpty();
        assertThat(wire.errors).containsExactly(FROM_DOOR);
        assertThat(wire.correlationIds).containsExactly(5);
        assertThat(wire.isReadable).isTrue();
    }

    @Test
    void anAnswerOfTheNodeWaitsAndIsReplaced() {
        faults.onRequest = InterceptedRequest::pass;
        faults.onAnswer = request -> {};

        ask("billing");
        assertThat(node.groups).containsExactly("billing");
        assertThat(wire.errors).isEmpty();
        assertThat(wire.isReadable).isFalse();

        faults.seen.get(0).replace(new HeartbeatResponse().setErrorCode(FROM_DOOR));
        assertThat(wire.errors).containsExactly(FROM_DOOR);
        assertThat(wire.isReadable).isTrue();
    }

    @Test
    void aRequestIsHandledAgainAndAnsweredOnce() {
        List<InterceptedRequest> repeated = new ArrayList<>();
        faults.onRequest = request -> {
            request.keep();
            request.pass();
        };
        faults.onAnswer = request -> {
            if (repeated.isEmpty()) {
                repeated.add(request);
                request.again();
            } else {
                request.send();
            }
        };

        ask("billing");
        time.runFor(0);

        assertThat(node.groups).containsExactly("billing", "billing");
        assertThat(wire.errors).containsExactly(FROM_NODE);
        assertThat(wire.isReadable).isTrue();
    }

    @Test
    void aMutedLinkStaysOpenAndDead() {
        faults.onRequest = InterceptedRequest::mute;

        ask("billing");
        ask("shipping");

        assertThat(node.groups).isEmpty();
        assertThat(wire.errors).isEmpty();
        assertThat(wire.isReadable).isFalse();
        assertThat(wire.isOpen).isTrue();

        faults.seen.get(0).resetMuted();
        assertThat(wire.isOpen).isFalse();
    }

    @Test
    void whatIsToldToARequestWhoseLinkIsGoneDoesNothing() {
        ask("billing");
        wire.isOpen = false;
        host.handler.onClosed(wire, null);

        faults.seen.get(0).pass();

        assertThat(node.groups).isEmpty();
        assertThat(node.closed).isEqualTo(1);
    }

    @Test
    void theNodeItselfRefusesWhatIsNoRequest() {
        host.handler.onFrame(wire, Unpooled.wrappedBuffer(new byte[] {1, 2, 3}));

        assertThat(node.malformed).isEqualTo(1);
        assertThat(faults.seen).isEmpty();
    }

    @Test
    void refusesAndListensAgainOnTheSamePort() {
        door.refuseConnections();
        assertThat(host.listening).isEmpty();

        assertThat(door.acceptConnections()).isCompleted();
        assertThat(host.listening).containsExactly(9092);
    }

    @Test
    void listensAgainAsSoonAsTheSystemHasLetThePortGo() {
        door.refuseConnections();
        host.refusals = 2;

        CompletableFuture<Void> accepted = door.acceptConnections();
        assertThat(accepted).isNotDone();
        assertThat(host.listening).isEmpty();

        time.runFor(10);
        assertThat(accepted).isCompleted();
        assertThat(host.listening).containsExactly(9092);
    }

    @Test
    void saysWhenThePortIsTakenByAnother() {
        door.refuseConnections();
        host.refusals = Integer.MAX_VALUE;

        CompletableFuture<Void> accepted = door.acceptConnections();
        time.runFor(2_000);

        assertThat(accepted)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("Node 1 cannot listen on port 9092 again");
    }

    private void ask(String group) {
        OutboundFrame frame =
                RequestFrames.encode(ApiKey.HEARTBEAT, VERSION, 5, "app", new HeartbeatRequest().setGroupId(group));
        ByteBuf bytes = ((OutboundFrame.Bytes) frame.parts().get(0)).buffer();
        host.handler.onFrame(wire, bytes);
        // Whoever keeps the frame sees it overwritten, as in a pool.
        bytes.setZero(0, bytes.capacity());
    }

    /** Says what happens to each, and remembers it. */
    private static final class Faults implements RequestFaults {
        final List<InterceptedRequest> seen = new ArrayList<>();
        boolean isAwake = true;
        Consumer<InterceptedRequest> onRequest = request -> {};
        Consumer<InterceptedRequest> onAnswer = InterceptedRequest::send;

        @Override
        public void attach(NodeDoor door) {}

        @Override
        public void detach(NodeDoor door) {}

        @Override
        public boolean isAwake() {
            return isAwake;
        }

        @Override
        public void onRequest(InterceptedRequest request) {
            seen.add(request);
            onRequest.accept(request);
        }

        @Override
        public void onAnswer(InterceptedRequest request, @Nullable OutboundFrame answer) {
            onAnswer.accept(request);
        }
    }

    /** Answers every heartbeat at once, and reads on then. */
    private static final class Node implements FrameHandler {
        final List<String> groups = new ArrayList<>();
        int malformed;
        int closed;

        @Override
        public void onFrame(Link link, ByteBuf frame) {
            if (frame.readableBytes() < 8) {
                malformed++;
                return;
            }
            MessageReader in = new MessageReader(frame);
            int correlationId = RequestFrames.readHeader(in).correlationId();
            ApiMessage request = RequestFrames.readBody(in, ApiKey.HEARTBEAT, VERSION);
            groups.add(((HeartbeatRequest) request).groupId());
            link.readable(false);
            link.send(ResponseFrames.encode(ApiKey.HEARTBEAT, VERSION, correlationId, new HeartbeatResponse()));
            link.readable(true);
        }

        @Override
        public void onClosed(Link link, @Nullable Throwable cause) {
            closed++;
        }
    }

    /** A client's end of a link. */
    private static final class Wire implements Link {
        final List<Short> errors = new ArrayList<>();
        final List<Integer> correlationIds = new ArrayList<>();
        boolean isReadable = true;
        boolean isOpen = true;

        @Override
        public void send(OutboundFrame frame) {
            MessageReader in =
                    new MessageReader(((OutboundFrame.Bytes) frame.parts().get(0)).buffer());
            correlationIds.add(
                    ResponseFrames.readHeader(in, ApiKey.HEARTBEAT, VERSION).correlationId());
            errors.add(((HeartbeatResponse) ResponseFrames.readBody(in, ApiKey.HEARTBEAT, VERSION)).errorCode());
        }

        @Override
        public void readable(boolean readable) {
            isReadable = readable;
        }

        @Override
        public void close() {
            isOpen = false;
        }

        @Override
        public boolean isOpen() {
            return isOpen;
        }

        @Override
        public String listenerName() {
            return "L";
        }

        @Override
        public @Nullable InetSocketAddress remoteAddress() {
            return null;
        }
    }

    /** A host and a network with one listener. */
    private static final class Host implements NodeHost, Network {
        final List<Integer> listening = new ArrayList<>();
        int refusals;
        private final Loop loop;
        FrameHandler handler = (link, frame) -> {};

        Host(Loop loop) {
            this.loop = loop;
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public Network network() {
            return this;
        }

        @Override
        public Listener listen(String name, String address, int port, FrameHandler newHandler) throws IOException {
            if (refusals > 0) {
                refusals--;
                throw new IOException("Address already in use");
            }
            handler = newHandler;
            listening.add(port);
            return new Listener() {
                @Override
                public int port() {
                    return port;
                }

                @Override
                public void close() {
                    listening.remove(Integer.valueOf(port));
                }
            };
        }

        @Override
        public Link connect(String address, int port, FrameHandler newHandler) {
            throw new UnsupportedOperationException("nobody connects here");
        }

        @Override
        public void halt() {}

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public void close(Runnable whenEnded) {}
    }
}
