package io.tidemark.broker.simulation;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.protocol.OutboundFrame.Bytes;
import io.tidemark.broker.protocol.OutboundFrame.Part;
import io.tidemark.broker.protocol.OutboundFrame.RecordBytes;
import io.tidemark.broker.transport.Network.FrameHandler;
import io.tidemark.broker.transport.Network.Link;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One end of a link.
 *
 * <pre>
 *   connecting --onOpen--> open --closed by either side, broken, or its process gone--> closed
 *        \---------------- refused, timed out, or closed ----------------/
 * </pre>
 */
final class SimulatedLink implements Link {
    private final SimulatedNetwork network;
    private final World world;
    private final String listenerName;
    private final FrameHandler handler;
    private final List<OutboundFrame> beforeOpen = new ArrayList<>();
    private final ArrayDeque<Arrival> inbox = new ArrayDeque<>();

    /** What came in over this end and is not answered. */
    private final ArrayDeque<WireTap.Question> asked = new ArrayDeque<>();

    private Wires.@Nullable Pipe out;
    private @Nullable SimulatedLink peer;
    private int peerMachine;
    private boolean isOpen;
    private boolean isClosed;
    private boolean isReadable = true;
    private boolean isLost;

    /** A frame, and the question that it answers, if it does. */
    private record Arrival(ByteBuf frame, WireTap.@Nullable Question answers) {}

    SimulatedLink(SimulatedNetwork network, String listenerName, FrameHandler handler) {
        this.network = network;
        this.world = network.world();
        this.listenerName = listenerName;
        this.handler = handler;
    }

    void connect(Machine target, String address, long timeoutUs) {
        int here = network.machine().id();
        peerMachine = target.id();
        Wires.Pipe there = network.wires().new Pipe(here, target.id());
        Wires.Pipe back = network.wires().new Pipe(target.id(), here);
        out = there;
        there.send("connect", () -> {
            SimulatedNetwork.Binding binding = network.wires().binding(address);
            if (binding == null) {
                back.send("refused", () -> closedFor(new IOException("Connection refused: " + address)));
            } else if (!isClosed) {
                SimulatedLink accepted = binding.accept(this, back);
                back.send("accepted", () -> opened(accepted));
            }
        });
        world.after(timeoutUs, here, "connect timeout", () -> {
            if (!isOpen) {
                closedFor(new IOException("No connection to " + address + " in time"));
            }
        });
    }

    void accepted(SimulatedLink from, Wires.Pipe back) {
        peer = from;
        peerMachine = from.network.machine().id();
        out = back;
        isOpen = true;
        network.loop().execute(() -> {
            if (!isClosed) {
                handler.onOpen(this);
            }
        });
    }

    private void opened(SimulatedLink accepted) {
        peer = accepted;
        if (isClosed) {
            sayClosed(null);
            return;
        }
        isOpen = true;
        network.loop().execute(() -> {
            if (isClosed) {
                return;
            }
            handler.onOpen(this);
            List<OutboundFrame> waiting = new ArrayList<>(beforeOpen);
            beforeOpen.clear();
            waiting.forEach(this::transmit);
        });
    }

    @Override
    public void send(OutboundFrame frame) {
        if (isClosed) {
            frame.release();
        } else if (!isOpen || !beforeOpen.isEmpty()) {
            beforeOpen.add(frame);
        } else {
            transmit(frame);
        }
    }

    private void transmit(OutboundFrame frame) {
        SimulatedLink target = peer;
        Wires.Pipe pipe = out;
        if (isClosed || target == null || pipe == null) {
            frame.release();
            return;
        }
        ByteBuf bytes;
        try {
            bytes = bytes(frame);
        } catch (IOException e) {
            // Records that are no longer there: half of the frame is sent, so the link is of no use any more.
            broken(e);
            return;
        }
        Arrival arrival = new Arrival(bytes, note(bytes));
        if (network.wires().breaksNow()) {
            if (world.random().nextBoolean()) {
                pipe.send("frame", () -> target.arrived(arrival));
            }
            broken(new IOException("Connection reset"));
            return;
        }
        pipe.send("frame", () -> target.arrived(arrival));
    }

    private static ByteBuf bytes(OutboundFrame frame) throws IOException {
        ByteBuf bytes = Unpooled.buffer(frame.sizeInBytes());
        for (Part part : frame.parts()) {
            if (part instanceof Bytes some) {
                bytes.writeBytes(some.buffer());
                some.buffer().release();
            } else if (part instanceof RecordBytes records) {
                bytes.writeBytes(records.records().toByteBuf());
            }
        }
        return bytes;
    }

    /** The question that the frame answers; null where it asks one. */
    private WireTap.@Nullable Question note(ByteBuf bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), bytes.arrayOffset() + bytes.readerIndex(), bytes.readableBytes());
        world.trace().mix(crc.getValue());
        WireTap tap = network.wires().tap();
        int here = network.machine().id();
        boolean isRequest = listenerName.isEmpty();
        WireTap.Question question = isRequest ? tap.question(bytes, world.nowUs()) : asked.poll();
        SimulatedLink target = peer;
        if (isRequest && target != null && question != null) {
            target.asked.add(question);
        } else if (question != null) {
            tap.onAnswer(here, question, bytes);
        }
        String name = question == null ? "?" : isRequest ? question.asking() : question.answering();
        world.trace().note(world.nowUs(), here, name, peerMachine, bytes.readableBytes());
        return isRequest ? null : question;
    }

    private void arrived(Arrival arrival) {
        if (isLost) {
            // Nobody here knows of this link: the system that came up again says so.
            sayClosed(new IOException("Connection reset by peer"));
        }
        if (isClosed) {
            return;
        }
        inbox.add(arrival);
        if (isReadable) {
            network.loop().execute(this::deliver);
        }
    }

    private void deliver() {
        while (isReadable && !isClosed) {
            Arrival arrival = inbox.poll();
            if (arrival == null) {
                return;
            }
            if (arrival.answers() != null) {
                network.wires().tap().onDelivery(network.machine().id(), arrival.answers());
            }
            handler.onFrame(this, arrival.frame());
        }
    }

    @Override
    public void readable(boolean wanted) {
        if (isReadable != wanted) {
            isReadable = wanted;
            if (wanted) {
                network.loop().execute(this::deliver);
            }
        }
    }

    /** The link breaks: this end and the other hear of it, the other after what is still under way to it. */
    private void broken(IOException cause) {
        sayClosed(cause);
        closedFor(cause);
    }

    private void sayClosed(@Nullable IOException cause) {
        SimulatedLink other = peer;
        if (out != null && other != null) {
            out.send("closed", () -> other.closedFor(cause));
        }
    }

    @Override
    public void close() {
        if (!isClosed) {
            sayClosed(null);
            closedFor(null);
        }
    }

    private void closedFor(@Nullable IOException cause) {
        if (isClosed) {
            return;
        }
        isClosed = true;
        isOpen = false;
        network.forget(this);
        beforeOpen.forEach(OutboundFrame::release);
        beforeOpen.clear();
        network.loop().execute(() -> handler.onClosed(this, cause));
    }

    /** The process is gone, and with it this end; the other hears of it only if the system is still there to say so. */
    void abandon(boolean isSaid) {
        isClosed = true;
        isOpen = false;
        isLost = !isSaid;
        if (isSaid) {
            sayClosed(new IOException("Connection reset by peer"));
        }
    }

    @Override
    public boolean isOpen() {
        return !isClosed;
    }

    @Override
    public String listenerName() {
        return listenerName;
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return null;
    }

    @Override
    public String toString() {
        return (listenerName.isEmpty() ? "link" : listenerName) + " "
                + network.machine().id() + " to " + peerMachine;
    }
}
