package io.tidemark.broker;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.journal.NodeJournal;
import io.tidemark.broker.network.NettyHost;
import io.tidemark.broker.time.SystemClock;
import io.tidemark.broker.transport.NodeHost;
import java.util.function.Consumer;

/**
 * The real world: Netty, the file system, and the system's clock with an offset that a test may push.
 *
 * @param clock the clock of every node that stands on this environment
 * @param seed the seed of their randomness
 */
public record SystemEnvironment(SystemClock clock, long seed) implements BrokerEnvironment {
    @Override
    public NodeHost newHost(String threadName, HostLimits limits, Consumer<Throwable> onFault) {
        return newHost(threadName, limits, onFault, NodeJournal.NONE);
    }

    /** As {@link #newHost(String, HostLimits, Consumer)}; the node's journal hears what it writes into its log. */
    public NodeHost newHost(String threadName, HostLimits limits, Consumer<Throwable> onFault, NodeJournal journal) {
        return new NettyHost(threadName, clock, limits.maxFrameBytes(), limits.connectTimeoutMs(), onFault, journal);
    }

    @Override
    public Disk disk(int nodeId) {
        return new FileSystemDisk();
    }
}
