package io.tidemark.broker.network;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.journal.NodeJournal;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.protocol.OutboundFrame.Bytes;
import io.tidemark.broker.protocol.OutboundFrame.RecordBytes;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.time.SystemClock;
import io.tidemark.broker.transport.Network.FrameHandler;
import io.tidemark.broker.transport.Network.Link;
import io.tidemark.broker.transport.Network.Listener;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NettyNetworkTest {
    private static final String HOST = "127.0.0.1";
    private static final int LIMIT = 10_000_000;

    private final List<Throwable> faults = new ArrayList<>();
    private final NettyHost host =
            new NettyHost("tidemark-test-9", new SystemClock(), LIMIT, 5_000, faults::add, NodeJournal.NONE);

    @TempDir
    Path folder;

    @AfterEach
    void halt() {
        host.halt();
        assertThat(faults).isEmpty();
    }

    @Test
    void carriesFramesBothWays() throws Exception {
        Listener listener = listen((link, frame) -> link.send(frameOf(frame.toString(StandardCharsets.UTF_8) + "!")));
        Recorder client = new Recorder();

        onLoop(() -> {
            Link link = host.network().connect(HOST, listener.port(), client);
            link.send(frameOf("before it is open"));
            return link;
        });

        assertThat(client.frames.poll(10, SECONDS)).isEqualTo("before it is open!");
    }

    @Test
    void tellsALinkTheNameOfItsListener() throws Exception {
        CompletableFuture<String> name = new CompletableFuture<>();
        Listener listener = listen((link, frame) -> name.complete(link.listenerName()));

        try (Socket socket = new Socket(HOST, listener.port())) {
            new DataOutputStream(socket.getOutputStream()).writeInt(0);

            assertThat(name.get(10, SECONDS)).isEqualTo("TEST");
        }
    }

    @Test
    void sendsRecordsStraightFromTheirFile() throws Exception {
        byte[] content = new byte[5_000_000];
        new Random(1).nextBytes(content);
        Path file = Files.write(folder.resolve("segment"), content);
        try (FileChannel channel = FileChannel.open(file)) {
            FileRecords records = new FileRecords(channel, 1_000, 4_000_000);
            Listener listener = listen((link, frame) -> link.send(new OutboundFrame(
                    List.of(new Bytes(bytes("head")), new RecordBytes(records), new Bytes(bytes("tail"))))));
            try (Socket socket = new Socket(HOST, listener.port())) {
                new DataOutputStream(socket.getOutputStream()).writeInt(0);
                DataInputStream in = new DataInputStream(socket.getInputStream());

                assertThat(in.readInt()).isEqualTo(4_000_008);
                assertThat(new String(in.readNBytes(4), StandardCharsets.UTF_8)).isEqualTo("head");
                assertThat(in.readNBytes(4_000_000)).isEqualTo(java.util.Arrays.copyOfRange(content, 1_000, 4_001_000));
                assertThat(new String(in.readNBytes(4), StandardCharsets.UTF_8)).isEqualTo("tail");
                assertThat(records.targets)
                        .allMatch(SocketChannel.class::isInstance)
                        .isNotEmpty();
            }
        }
    }

    @Test
    void closesALinkWhoseRecordsAreGone() throws Exception {
        Listener listener = listen((link, frame) -> link.send(new OutboundFrame(List.of(new RecordBytes(new Gone())))));
        try (Socket socket = new Socket(HOST, listener.port())) {
            new DataOutputStream(socket.getOutputStream()).writeInt(0);

            assertThat(socket.getInputStream().readAllBytes()).hasSize(4);
        }
    }

    @Test
    void closesALinkThatSendsAnImpossibleLength() throws Exception {
        Recorder server = new Recorder();
        Listener listener = onLoop(() -> host.network().listen("TEST", HOST, 0, server));
        try (Socket socket = new Socket(HOST, listener.port())) {
            new DataOutputStream(socket.getOutputStream()).writeInt(LIMIT + 1);

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(server.closeCause.get(10, SECONDS)).isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void readsNoFurtherFrameWhileALinkIsNotReadable() throws Exception {
        BlockingQueue<String> frames = new LinkedBlockingQueue<>();
        CompletableFuture<Link> accepted = new CompletableFuture<>();
        Listener listener = listen((link, frame) -> {
            link.readable(false);
            accepted.complete(link);
            frames.add(frame.toString(StandardCharsets.UTF_8));
        });
        try (Socket socket = new Socket(HOST, listener.port())) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.write(new byte[] {0, 0, 0, 1, 'a', 0, 0, 0, 1, 'b', 0, 0, 0, 1, 'c'});
            assertThat(frames.poll(10, SECONDS)).isEqualTo("a");
            assertThat(frames.poll(50, java.util.concurrent.TimeUnit.MILLISECONDS))
                    .isNull();

            host.loop().execute(() -> accepted.join().readable(true));

            assertThat(frames.poll(10, SECONDS)).isEqualTo("b");
            assertThat(frames.poll(50, java.util.concurrent.TimeUnit.MILLISECONDS))
                    .isNull();
        }
    }

    @Test
    void saysOfAConnectionThatIsRefusedThatItIsClosedAndWhy() throws Exception {
        Recorder client = new Recorder();
        int port;
        try (PortReservation reservation = PortReservation.reserve(HOST, 0)) {
            port = reservation.port();
            onLoop(() -> host.network().connect(HOST, port, client));

            assertThat(client.closeCause.get(10, SECONDS)).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void namesTheAddressThatItCannotBind() throws Exception {
        Listener taken = listen((link, frame) -> {});

        assertThatThrownBy(() -> onLoop(() -> host.network().listen("OTHER", HOST, taken.port(), new Recorder())))
                .rootCause()
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> onLoop(() -> host.network().listen("OTHER", HOST, taken.port(), new Recorder())))
                .hasMessageContaining("[127.0.0.1:" + taken.port() + "]");
    }

    @Test
    void listensOverAReservedPortAgainAndAgain() throws Exception {
        try (PortReservation reservation = PortReservation.reserve(HOST, 0)) {
            for (int life = 0; life < 3; life++) {
                Listener listener =
                        onLoop(() -> host.network().listen("TEST", HOST, reservation.port(), new Recorder()));
                new Socket(HOST, reservation.port()).close();
                onLoop(() -> {
                    listener.close();
                    return null;
                });
                // The system lets go of a closed listener when the loop next looks at its sockets.
                await("refusal")
                        .untilAsserted(() -> assertThatThrownBy(() -> new Socket(HOST, reservation.port()).close())
                                .isInstanceOf(ConnectException.class));
            }
        }
    }

    @Test
    void keepsAReservedPortFromEveryoneElse() throws Exception {
        try (PortReservation reservation = PortReservation.reserve(HOST, 0)) {
            for (int i = 0; i < 200; i++) {
                try (Socket other = new Socket()) {
                    other.bind(new InetSocketAddress(InetAddress.getByName(HOST), 0));
                    assertThat(other.getLocalPort()).isNotEqualTo(reservation.port());
                }
            }
        }
    }

    @Test
    void keepsConnectionsOfAPausedHostOpenAndServesThemAfterwards() throws Exception {
        Listener listener = listen((link, frame) -> link.send(frameOf("answer")));
        try (Socket socket = new Socket(HOST, listener.port())) {
            host.pause();
            new DataOutputStream(socket.getOutputStream()).writeInt(0);
            socket.setSoTimeout(50);
            assertThatThrownBy(() -> socket.getInputStream().read()).hasMessageContaining("timed out");
            socket.setSoTimeout(10_000);

            host.resume();

            assertThat(new DataInputStream(socket.getInputStream()).readInt()).isEqualTo(6);
        }
    }

    @Test
    void leavesNoThreadDescriptorOrPortBehindWhenHalted() throws Exception {
        Listener listener = listen((link, frame) -> link.send(frameOf("answer")));
        try (Socket socket = new Socket(HOST, listener.port())) {
            new DataOutputStream(socket.getOutputStream()).writeInt(0);
            new DataInputStream(socket.getInputStream()).readInt();

            host.halt();

            assertThat(socket.getInputStream().readAllBytes()).hasSize(6);
        }
        assertThatThrownBy(() -> new Socket(HOST, listener.port()).close()).isInstanceOf(ConnectException.class);
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("tidemark-test-9") || name.startsWith("globalEventExecutor"));
    }

    /** Netty 4.2 closes nothing of a loop that is told to end while it runs its tasks. */
    @Test
    void refusesWhenItWasHaltedInTheMidstOfItsTasks() throws Exception {
        for (int life = 0; life < 20; life++) {
            NettyHost busy =
                    new NettyHost("tidemark-busy", new SystemClock(), LIMIT, 5_000, faults::add, NodeJournal.NONE);
            CompletableFuture<Listener> listening = new CompletableFuture<>();
            CompletableFuture<Void> inTheMidst = new CompletableFuture<>();
            busy.loop().execute(() -> {
                try {
                    listening.complete(busy.network().listen("TEST", HOST, 0, new Recorder()));
                } catch (IOException e) {
                    listening.completeExceptionally(e);
                }
                inTheMidst.join();
            });
            int port = listening.get(10, SECONDS).port();
            Thread halting = new Thread(busy::halt);
            halting.start();
            await("the end has been asked for").until(() -> halting.getState() == Thread.State.WAITING);

            inTheMidst.complete(null);
            halting.join(10_000);

            assertThatThrownBy(() -> new Socket(HOST, port).close())
                    .as("life %d", life)
                    .isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void keepsTheCountOfDescriptorsOverManyLives() throws Exception {
        liveOnce();
        long before = openDescriptors();

        for (int life = 0; life < 20; life++) {
            liveOnce();
        }

        assertThat(openDescriptors()).isLessThanOrEqualTo(before);
    }

    private static void liveOnce() throws Exception {
        NettyHost life = new NettyHost("tidemark-life", new SystemClock(), LIMIT, 5_000, fault -> {}, NodeJournal.NONE);
        CompletableFuture<Integer> port = new CompletableFuture<>();
        life.loop().execute(() -> {
            try {
                port.complete(
                        life.network().listen("TEST", HOST, 0, new Recorder()).port());
            } catch (IOException e) {
                port.completeExceptionally(e);
            }
        });
        Recorder client = new Recorder();
        int bound = port.get(10, SECONDS);
        life.loop().execute(() -> life.network().connect(HOST, bound, client));
        client.opened.get(10, SECONDS);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        life.close(() -> ended.complete(null));
        ended.get(10, SECONDS);
    }

    private static long openDescriptors() throws IOException {
        try (var entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.count();
        }
    }

    private Listener listen(BiConsumer<Link, ByteBuf> onFrame) throws Exception {
        return onLoop(() -> host.network().listen("TEST", HOST, 0, onFrame::accept));
    }

    private <T> T onLoop(Callable<T> call) throws Exception {
        CompletableFuture<T> done = new CompletableFuture<>();
        host.loop().execute(() -> {
            try {
                done.complete(call.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done.get(10, SECONDS);
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    private static OutboundFrame frameOf(String text) {
        return new OutboundFrame(List.of(new Bytes(bytes(text))));
    }

    private static final class Recorder implements FrameHandler {
        final BlockingQueue<String> frames = new LinkedBlockingQueue<>();
        final CompletableFuture<Link> opened = new CompletableFuture<>();
        final CompletableFuture<Throwable> closeCause = new CompletableFuture<>();

        @Override
        public void onOpen(Link link) {
            opened.complete(link);
        }

        @Override
        public void onFrame(Link link, ByteBuf frame) {
            frames.add(frame.toString(StandardCharsets.UTF_8));
        }

        @Override
        public void onClosed(Link link, Throwable cause) {
            closeCause.complete(cause);
        }
    }

    /** A stretch of a file that notes where it was sent to. */
    private static final class FileRecords implements Records {
        final List<WritableByteChannel> targets = new ArrayList<>();
        private final FileChannel file;
        private final long start;
        private final int size;

        FileRecords(FileChannel file, long start, int size) {
            this.file = file;
            this.start = start;
            this.size = size;
        }

        @Override
        public int sizeInBytes() {
            return size;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position, long count) throws IOException {
            targets.add(target);
            return file.transferTo(start + position, count, target);
        }

        @Override
        public ByteBuf toByteBuf() {
            throw new AssertionError("copied");
        }
    }

    private static final class Gone implements Records {
        @Override
        public int sizeInBytes() {
            return 100;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position, long count) throws IOException {
            throw new IOException("truncated meanwhile");
        }

        @Override
        public ByteBuf toByteBuf() throws IOException {
            throw new IOException("truncated meanwhile");
        }
    }
}
