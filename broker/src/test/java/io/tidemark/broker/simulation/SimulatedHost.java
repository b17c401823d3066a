package io.tidemark.broker.simulation;

import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Network;
import io.tidemark.broker.transport.NodeHost;
import java.util.function.Consumer;

/** One life on a machine: its loop and its place in the network. */
final class SimulatedHost implements NodeHost {
    private final World world;
    private final Machine machine;
    private final SimulatedLoop loop;
    private final SimulatedNetwork network;

    SimulatedHost(World world, Machine machine, Wires wires, int connectTimeoutMs, Consumer<Throwable> onFault) {
        this.world = world;
        this.machine = machine;
        this.loop = new SimulatedLoop(world, machine, fault -> {
            halt();
            onFault.accept(fault);
        });
        this.network = new SimulatedNetwork(world, wires, machine, loop, connectTimeoutMs);
    }

    Machine machine() {
        return machine;
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public Network network() {
        return network;
    }

    /** As a killed process: the system closes its sockets, where the machine still has power. */
    @Override
    public void halt() {
        loop.halt();
        network.end();
    }

    @Override
    public void pause() {
        loop.pause();
    }

    @Override
    public void resume() {
        loop.resume();
    }

    @Override
    public void close(Runnable whenEnded) {
        loop.execute(() -> {
            network.end();
            world.after(1, machine.id(), "closed", () -> {
                loop.halt();
                whenEnded.run();
            });
        });
    }
}
