package io.tidemark.broker;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.time.SystemClock;
import io.tidemark.broker.transport.NodeHost;

/**
 * The real world: Netty, the file system, and the system's clock with an offset that a test may push.
 *
 * @param clock the clock of every node that stands on this environment
 * @param seed the seed of their randomness
 */
public record SystemEnvironment(SystemClock clock, long seed) implements BrokerEnvironment {
    @Override
    public NodeHost newHost(String threadName, HostLimits limits) {
        throw new UnsupportedOperationException("not wired yet");
    }

    @Override
    public Disk disk(int nodeId) {
        throw new UnsupportedOperationException("not wired yet");
    }
}
