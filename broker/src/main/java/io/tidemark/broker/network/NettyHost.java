package io.tidemark.broker.network;

import io.tidemark.broker.journal.NodeJournal;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Network;
import io.tidemark.broker.transport.NodeHost;
import java.util.function.Consumer;

/** The real host: one Netty event loop, and the network on it. */
public final class NettyHost implements NodeHost {
    private final NettyLoop loop;
    private final NettyNetwork network;

    /**
     * @param threadName the name of the loop's thread
     * @param maxFrameBytes the longest frame that is taken in
     * @param connectTimeoutMs how long a connect may take
     * @param onFault told, on the loop, of an exception that a task let out; the host is halted by then
     * @param journal where the lines go that the node writes into its log
     */
    public NettyHost(
            String threadName,
            Clock clock,
            int maxFrameBytes,
            int connectTimeoutMs,
            Consumer<Throwable> onFault,
            NodeJournal journal) {
        loop = new NettyLoop(threadName, clock, onFault, journal);
        network = new NettyNetwork(loop, maxFrameBytes, connectTimeoutMs);
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public Network network() {
        return network;
    }

    @Override
    public void halt() {
        loop.halt();
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
        loop.execute(() -> loop.close(whenEnded));
    }
}
