package io.tidemark.broker.simulation;

import io.tidemark.broker.transport.Network;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The network door of one life: what it listens on, and its links. */
final class SimulatedNetwork implements Network {
    private final World world;
    private final Wires wires;
    private final Machine machine;
    private final SimulatedLoop loop;
    private final int connectTimeoutMs;
    private final Map<String, Binding> bindings = new TreeMap<>();
    private final Set<SimulatedLink> links = new LinkedHashSet<>();

    SimulatedNetwork(World world, Wires wires, Machine machine, SimulatedLoop loop, int connectTimeoutMs) {
        this.world = world;
        this.wires = wires;
        this.machine = machine;
        this.loop = loop;
        this.connectTimeoutMs = connectTimeoutMs;
    }

    World world() {
        return world;
    }

    Wires wires() {
        return wires;
    }

    Machine machine() {
        return machine;
    }

    SimulatedLoop loop() {
        return loop;
    }

    void forget(SimulatedLink link) {
        links.remove(link);
    }

    @Override
    public Listener listen(String name, String host, int port, FrameHandler handler) throws IOException {
        String address = machine.host() + ":" + port;
        if (wires.binding(address) != null) {
            throw new IOException("Listener " + name + " cannot bind [" + address + "]: it is taken");
        }
        Binding binding = new Binding(name, address, port, handler);
        wires.bind(address, binding);
        bindings.put(address, binding);
        return binding;
    }

    @Override
    public Link connect(String host, int port, FrameHandler handler) {
        SimulatedLink link = new SimulatedLink(this, "", handler);
        links.add(link);
        link.connect(wires.machine(host), host + ":" + port, connectTimeoutMs * World.MS);
        return link;
    }

    /** The end of this life: as the system cleans up behind a process, or, without power, nobody does. */
    void end() {
        bindings.forEach(wires::unbind);
        bindings.clear();
        for (SimulatedLink link : new ArrayList<>(links)) {
            link.abandon(machine.isPowered());
        }
        links.clear();
    }

    /** Where a life listens. */
    final class Binding implements Listener {
        private final String name;
        private final String address;
        private final int port;
        private final FrameHandler handler;
        private final Set<SimulatedLink> accepted = new LinkedHashSet<>();

        private Binding(String name, String address, int port, FrameHandler handler) {
            this.name = name;
            this.address = address;
            this.port = port;
            this.handler = handler;
        }

        /** As the system does it, whether the process is paused or not. */
        SimulatedLink accept(SimulatedLink from, Wires.Pipe back) {
            SimulatedLink link = new SimulatedLink(SimulatedNetwork.this, name, handler);
            links.add(link);
            accepted.add(link);
            link.accepted(from, back);
            return link;
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public void close() {
            wires.unbind(address, this);
            bindings.remove(address);
            new ArrayList<>(accepted).forEach(SimulatedLink::close);
        }
    }
}
