package io.tidemark.broker.simulation;

import io.tidemark.broker.Broker;
import io.tidemark.broker.BrokerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One node over all of its lives. */
final class SimulatedNode {
    private final World world;
    private final Wires wires;
    private final Machine machine;
    private final BrokerConfig config;
    private final Listener listener;
    private @Nullable Broker broker;
    private boolean isPaused;
    private boolean isStopping;

    /** It was killed with its logs open, and no life since then has opened them. */
    private boolean needsRecovery;

    private boolean hasOpenLogs;

    private int life;

    /** Hears of the node's lives. */
    interface Listener {
        /** The node came to an end by itself. */
        void onFault(SimulatedNode node, Throwable cause);

        void onPowerLoss(SimulatedNode node);
    }

    SimulatedNode(World world, Wires wires, Machine machine, BrokerConfig config, Listener listener) {
        this.world = world;
        this.wires = wires;
        this.machine = machine;
        this.config = config;
        this.listener = listener;
        makeFolder();
    }

    /** As whoever set the machine up left it: its folder is there, and durable. */
    private void makeFolder() {
        try {
            for (Path folder : config.logDirs()) {
                machine.disk().createDirectories(folder);
                machine.disk().forceDirectory(folder.resolveSibling(""));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int id() {
        return machine.id();
    }

    boolean isBroker() {
        return config.isBroker();
    }

    boolean isController() {
        return config.isController();
    }

    /** A controller that has no vote until it is given one. */
    boolean isSpare() {
        return id() >= Cluster.FIRST_SPARE && id() < Cluster.FIRST_CLIENT;
    }

    Machine machine() {
        return machine;
    }

    /** The life that is, or null while the node is down. */
    @Nullable
    Broker broker() {
        return broker;
    }

    boolean isUp() {
        return broker != null;
    }

    boolean isPaused() {
        return isPaused;
    }

    /** How many lives it has had. */
    int life() {
        return life;
    }

    private void note(String what) {
        world.trace().note(world.nowUs(), id(), what, life, 0);
    }

    void start() {
        if (isUp()) {
            return;
        }
        life++;
        note("START life {1}");
        machine.trouble().forget();
        if (!machine.isPowered()) {
            machine.power(true);
            wires.release();
        }
        requireNoVoucher();
        hasOpenLogs = false;
        Broker created = Broker.create(config, machine);
        broker = created;
        isPaused = false;
        isStopping = false;
        created.start();
        created.termination().whenComplete((nothing, fault) -> {
            if (fault != null && broker == created) {
                onFault(fault);
            }
        });
    }

    /** What was killed with its logs open must not look as if it had been shut down in good order (INV-20). */
    private void requireNoVoucher() {
        for (Path folder : config.logDirs()) {
            try {
                if (needsRecovery && isBroker() && isVouchedFor(folder) && hasLogs(folder)) {
                    throw new Violation("[INV-20] Node " + id() + " was killed, and nobody has opened its logs since"
                            + " then; still they count as closed in good order");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private boolean isVouchedFor(Path folder) throws IOException {
        return machine.disk().exists(folder.resolve(".kafka_cleanshutdown"));
    }

    /** It is stopped, and its logs are still open: not where it was on its way down and has closed them. */
    private void stopped() {
        boolean hasClosedThem = isStopping
                && config.logDirs().stream().allMatch(folder -> {
                    try {
                        return isVouchedFor(folder);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        needsRecovery |= hasOpenLogs && !hasClosedThem;
    }

    /** A power loss may have left none. */
    private boolean hasLogs(Path folder) throws IOException {
        for (Path path : machine.disk().list(folder)) {
            String name = path.getFileName().toString();
            if (name.matches("(topic|passing).*-\\d+") && machine.disk().isDirectory(path)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Its logs are open, and recovered where that was needed.
     *
     * @param isAny whether there are some
     */
    void logsAreOpen(boolean isAny) {
        needsRecovery = false;
        hasOpenLogs = isAny;
    }

    private void onFault(Throwable fault) {
        note("FAULT " + fault);
        needsRecovery |= hasOpenLogs;
        end();
        listener.onFault(this, fault);
    }

    private void end() {
        broker = null;
        machine.disk().restart();
    }

    void kill() {
        Broker killed = broker;
        if (killed != null) {
            note("KILL");
            stopped();
            broker = null;
            killed.kill();
            end();
        }
    }

    /** The machine is dark until the next start, and what was not forced may be gone. */
    void losePower(long seed) {
        Broker killed = broker;
        if (killed != null) {
            note("POWER LOSS");
            stopped();
            broker = null;
            machine.power(false);
            killed.kill();
            machine.disk().powerLoss(seed);
            listener.onPowerLoss(this);
        }
    }

    void shutdown(Runnable then) {
        Broker stopping = broker;
        if (stopping == null || isStopping) {
            return;
        }
        note("SHUTDOWN");
        isStopping = true;
        isPaused = false;
        stopping.shutdown().whenComplete((nothing, fault) -> {
            if (broker == stopping) {
                note("DOWN in good order");
                end();
                then.run();
            }
        });
    }

    void pause() {
        if (broker != null && !isPaused && !isStopping) {
            note("PAUSE");
            isPaused = true;
            broker.pause();
        }
    }

    void resume() {
        if (broker != null && isPaused) {
            note("RESUME");
            isPaused = false;
            broker.resume();
        }
    }
}
