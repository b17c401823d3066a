package io.tidemark.broker.simulation;

import io.tidemark.broker.BrokerEnvironment;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFaults;
import io.tidemark.broker.disk.FaultyDisk;
import io.tidemark.broker.disk.SimulatedDisk;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.transport.NodeHost;
import java.util.function.Consumer;

/** What the lives of one node, or a client, stand on, one after the other. */
final class Machine implements BrokerEnvironment {
    private final World world;
    private final Wires wires;
    private final int id;
    private final long seed;
    private final SimulatedClock clock;
    private final SimulatedDisk disk = new SimulatedDisk();
    private final DiskFaults faults = new DiskFaults();
    private final Disk door = new FaultyDisk(disk, faults);
    private final DiskTrouble trouble;
    private boolean isPowered = true;
    private long stallUs;

    Machine(World world, Wires wires, int id, long seed, SimulatedClock clock) {
        this.world = world;
        this.wires = wires;
        this.id = id;
        this.seed = seed;
        this.clock = clock;
        this.trouble = new DiskTrouble(world, this);
        faults.failWhere(trouble::fails);
        wires.add(this);
    }

    int id() {
        return id;
    }

    /** The name that others reach it by. */
    String host() {
        return Wires.hostOf(id);
    }

    @Override
    public SimulatedClock clock() {
        return clock;
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public NodeHost newHost(String threadName, HostLimits limits, Consumer<Throwable> onFault) {
        return new SimulatedHost(world, this, wires, limits.connectTimeoutMs(), onFault);
    }

    @Override
    public Disk disk(int nodeId) {
        return door;
    }

    SimulatedDisk disk() {
        return disk;
    }

    DiskTrouble trouble() {
        return trouble;
    }

    boolean isPowered() {
        return isPowered;
    }

    void power(boolean isOn) {
        isPowered = isOn;
    }

    /** The loop has to wait for the disk before it goes on. */
    void stall(long us) {
        stallUs += us;
    }

    long takeStallUs() {
        long taken = stallUs;
        stallUs = 0;
        return taken;
    }

    Clock asClock() {
        return clock;
    }
}
