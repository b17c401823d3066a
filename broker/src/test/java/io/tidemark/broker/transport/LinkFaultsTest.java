package io.tidemark.broker.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.time.VirtualTime;
import io.tidemark.broker.transport.LinkFaults.Hold;
import io.tidemark.broker.transport.Network.FrameHandler;
import io.tidemark.broker.transport.Network.Link;
import io.tidemark.broker.transport.Network.Listener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LinkFaultsTest {
    private static final int PORT_OF_2 = 9092;
    private static final int PORT_OF_3 = 9093;
    private static final int CONNECT_TIMEOUT_MS = 500;

    private final VirtualTime time = new VirtualTime();
    private final LinkFaults faults = new LinkFaults();
    private final Wire wire = new Wire();
    private final Recorder client = new Recorder("replica-fetcher");
    private FaultyNetwork network;

    @BeforeEach
    void twoNodes() throws IOException {
        new FaultyNetwork(2, wire, time.newLoop(), faults, CONNECT_TIMEOUT_MS).listen("L", "", PORT_OF_2, client);
        network = new FaultyNetwork(1, wire, time.newLoop(), faults, CONNECT_TIMEOUT_MS);
    }

    @Test
    void passesEverythingWhereNothingIsHeld() {
        Link link = connected();

        link.send(frame("ask"));
        wire.answers("told");

        assertThat(wire.sent).containsExactly("ask");
        assertThat(client.heard).containsExactly("open", "told");
    }

    @Test
    void keepsWhatGoesOneWayAndPassesItInOrderAfterTheHeal() {
        Link link = connected();
        Hold hold = faults.hold(LinkScope.between(List.of(1), List.of(2)));

        link.send(frame("first"));
        link.send(frame("second"));
        wire.answers("the way back is open");

        assertThat(wire.sent).isEmpty();
        assertThat(client.heard).containsExactly("open", "the way back is open");
        assertThat(hold.strikes()).isEqualTo(2);

        release(hold);
        link.send(frame("third"));

        assertThat(wire.sent).containsExactly("first", "second", "third");
    }

    @Test
    void keepsAnswersAndTheCloseBehindThem() {
        connected();
        Hold hold = faults.hold(LinkScope.between(List.of(2), List.of(1)));

        wire.answers("first");
        wire.answers("second");
        wire.loses();

        assertThat(client.heard).containsExactly("open");

        release(hold);

        assertThat(client.heard).containsExactly("open", "first", "second", "closed: lost");
    }

    @Test
    void aCutLinkCannotBeOpenedAndItsConnectTimesOut() {
        Hold hold = faults.hold(LinkScope.between(List.of(2), List.of(1)));
        Link link = network.connect("localhost", PORT_OF_2, client);
        link.send(frame("ask"));

        time.runFor(CONNECT_TIMEOUT_MS - 1);
        assertThat(client.heard).isEmpty();
        time.runFor(1);

        assertThat(wire.connects).isZero();
        assertThat(client.heard)
                .containsExactly(
                        "closed: Connecting to node 2 took longer than 500 ms: the link to it is cut on purpose");
        assertThat(hold.strikes()).isEqualTo(1);
        assertThat(link.isOpen()).isFalse();
    }

    @Test
    void aConnectThatWaitsGoesOnAfterTheHealWithWhatWasSent() {
        Hold hold = faults.hold(LinkScope.between(List.of(1), List.of(2)));
        Link link = network.connect("localhost", PORT_OF_2, client);
        link.send(frame("ask"));

        release(hold);
        wire.opens();
        time.runFor(2 * CONNECT_TIMEOUT_MS);

        assertThat(wire.sent).containsExactly("ask");
        assertThat(client.heard).containsExactly("open");
    }

    @Test
    void whatAnEndGaveUpNeverArrives() {
        Link link = connected();
        Hold hold = faults.hold(LinkScope.between(List.of(1), List.of(2)));
        OutboundFrame frame = frame("given up");
        link.send(frame);

        link.close();
        release(hold);

        assertThat(wire.sent).isEmpty();
        assertThat(((OutboundFrame.Bytes) frame.parts().get(0)).buffer().refCnt())
                .isZero();
        assertThat(client.heard).containsExactly("open", "closed: null");
    }

    @Test
    void leavesLinksOfAnotherPurposeAndOfOtherNodesAlone() {
        Link link = connected();
        Hold ofPurpose = faults.hold(LinkScope.between(List.of(1), List.of()).on("heartbeat"));
        Hold ofOthers = faults.hold(LinkScope.between(List.of(3), List.of(2)));
        Hold there = faults.hold(LinkScope.between(List.of(1), List.of()).on("replica-fetcher"));
        link.send(frame("held"));

        assertThat(wire.sent).isEmpty();
        assertThat(List.of(ofPurpose.strikes(), ofOthers.strikes(), there.strikes()))
                .containsExactly(0L, 0L, 1L);

        release(there);

        assertThat(wire.sent).containsExactly("held");
    }

    @Test
    void aPurposeIsThatOfWhoOpenedTheLinkAndCountsBothWays() {
        Link link = connected();
        Hold opened = faults.hold(LinkScope.between(List.of(1), List.of(2)).on("replica-fetcher"));
        Hold otherWayRound =
                faults.hold(LinkScope.between(List.of(2), List.of(1)).on("replica-fetcher"));
        link.send(frame("ask"));
        wire.answers("told");

        assertThat(wire.sent).isEmpty();
        assertThat(client.heard).containsExactly("open");
        assertThat(List.of(opened.strikes(), otherWayRound.strikes())).containsExactly(2L, 0L);

        release(opened);

        assertThat(wire.sent).containsExactly("ask");
        assertThat(client.heard).containsExactly("open", "told");
    }

    @Test
    void aSecondHoldKeepsWhatTheFirstReleases() {
        Link link = connected();
        Hold first = faults.hold(LinkScope.between(List.of(1), List.of(2)));
        Hold second = faults.hold(LinkScope.between(List.of(1), List.of()));
        link.send(frame("ask"));

        release(first);
        assertThat(wire.sent).isEmpty();
        faults.releaseAll();
        time.runDue();

        assertThat(wire.sent).containsExactly("ask");
        assertThat(second.strikes()).isEqualTo(1);
        assertThat(faults.holds()).isEmpty();
    }

    @Test
    void nodesAreCutOffFromEachOtherByAHoldInEitherDirectionAndForEveryPurpose() {
        Hold cut = faults.hold(LinkScope.between(List.of(1), List.of(2)));
        faults.hold(LinkScope.between(List.of(1), List.of(3)).on(LinkScope.REPLICA_FETCHER));

        assertThat(faults.isCut(1, 2)).isTrue();
        assertThat(faults.isCut(2, 1)).isTrue();
        assertThat(faults.isCut(1, 3)).as("what is no replication passes").isFalse();
        cut.release();
        assertThat(faults.isCut(1, 2)).isFalse();
    }

    @Test
    void aLinkToNoNodeOfTheClusterIsLeftAlone() {
        faults.hold(LinkScope.between(List.of(1), List.of()));

        Link link = network.connect("localhost", PORT_OF_3, client);
        wire.opens();
        link.send(frame("ask"));
        wire.answers("told");

        assertThat(wire.sent).containsExactly("ask");
        assertThat(client.heard).containsExactly("open", "told");
    }

    @Test
    void aLinkThatWasOpenedBeforeTheOtherNodeListenedIsHeldLikeAnyOther() throws IOException {
        Link link = network.connect("localhost", PORT_OF_3, client);
        new FaultyNetwork(3, wire, time.newLoop(), faults, CONNECT_TIMEOUT_MS).listen("L", "", PORT_OF_3, client);
        wire.opens();
        Hold hold = faults.hold(LinkScope.between(List.of(1), List.of(3)));

        link.send(frame("ask"));

        assertThat(wire.sent).isEmpty();
        assertThat(hold.strikes()).isEqualTo(1);
    }

    private Link connected() {
        Link link = network.connect("localhost", PORT_OF_2, client);
        wire.opens();
        return link;
    }

    private void release(Hold hold) {
        hold.release();
        time.runDue();
    }

    private static OutboundFrame frame(String text) {
        return new OutboundFrame(List.of(new OutboundFrame.Bytes(Unpooled.copiedBuffer(text, UTF_8))));
    }

    /** Writes down what it hears. */
    private static final class Recorder implements FrameHandler {
        private final String purpose;
        private final List<String> heard = new ArrayList<>();

        Recorder(String purpose) {
            this.purpose = purpose;
        }

        @Override
        public String purpose() {
            return purpose;
        }

        @Override
        public void onOpen(Link link) {
            heard.add("open");
        }

        @Override
        public void onFrame(Link link, ByteBuf frame) {
            heard.add(frame.toString(UTF_8));
        }

        @Override
        public void onClosed(Link link, Throwable cause) {
            heard.add("closed: " + (cause == null ? null : cause.getMessage()));
        }
    }

    /** A network of one link, whose far end is the test. */
    private static final class Wire implements Network, Link {
        private final List<String> sent = new ArrayList<>();
        private int connects;
        private FrameHandler near;

        void opens() {
            near.onOpen(this);
        }

        void answers(String text) {
            ByteBuf frame = Unpooled.copiedBuffer(text, UTF_8);
            near.onFrame(this, frame);
            frame.release();
        }

        void loses() {
            near.onClosed(this, new IOException("lost"));
        }

        @Override
        public Listener listen(String name, String host, int port, FrameHandler handler) {
            return new Listener() {
                @Override
                public int port() {
                    return port;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public Link connect(String host, int port, FrameHandler handler) {
            connects++;
            near = handler;
            return this;
        }

        @Override
        public void send(OutboundFrame frame) {
            sent.add(((OutboundFrame.Bytes) frame.parts().get(0)).buffer().toString(UTF_8));
            frame.release();
        }

        @Override
        public void readable(boolean readable) {}

        @Override
        public void close() {
            near.onClosed(this, null);
        }

        @Override
        public boolean isOpen() {
            return true;
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
