package io.tidemark.broker.network;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A group of one event loop whose end goes unheard of.
 *
 * <p>Why: a group listens for the end of its loops, and Netty tells listeners of that on its global executor, which
 * starts a thread of its own for it that outlives the cluster by a second. The group is therefore shown a stand-in
 * that never ends, and the loop itself, which nobody listens to, is handed out by {@link #eventLoop()}.
 */
@SuppressWarnings("deprecation") // the one class for NIO that Netty 4.1 and 4.2 share
final class QuietEventLoopGroup extends NioEventLoopGroup {
    private @Nullable EventLoop eventLoop;

    QuietEventLoopGroup(ThreadFactory threads) {
        super(1, threads);
    }

    EventLoop eventLoop() {
        if (eventLoop == null) {
            throw new IllegalStateException("The group was made without an event loop");
        }
        return eventLoop;
    }

    /** Called by the super constructor, so the field must have no initializer. */
    @Override
    protected EventLoop newChild(Executor executor, Object... args) throws Exception {
        eventLoop = super.newChild(executor, args);
        return new Endless(this, eventLoop);
    }

    /** Passes everything on but the end. */
    private static final class Endless extends AbstractEventExecutor implements EventLoop {
        private final EventLoopGroup group;
        private final EventLoop loop;
        private final Promise<?> end = new DefaultPromise<>(ImmediateEventExecutor.INSTANCE);

        Endless(EventLoopGroup group, EventLoop loop) {
            super(group);
            this.group = group;
            this.loop = loop;
        }

        @Override
        public EventLoopGroup parent() {
            return group;
        }

        @Override
        public EventLoop next() {
            return this;
        }

        @Override
        public boolean inEventLoop(Thread thread) {
            return loop.inEventLoop(thread);
        }

        @Override
        public void execute(Runnable task) {
            loop.execute(task);
        }

        @Override
        public ChannelFuture register(Channel channel) {
            return loop.register(channel);
        }

        @Override
        public ChannelFuture register(ChannelPromise promise) {
            return loop.register(promise);
        }

        @Override
        @Deprecated
        public ChannelFuture register(Channel channel, ChannelPromise promise) {
            return loop.register(channel, promise);
        }

        @Override
        public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
            loop.shutdownGracefully(quietPeriod, timeout, unit);
            return end;
        }

        @Override
        public Future<?> terminationFuture() {
            return end;
        }

        @Override
        @Deprecated
        public void shutdown() {
            loop.shutdown();
        }

        @Override
        public boolean isShuttingDown() {
            return loop.isShuttingDown();
        }

        @Override
        public boolean isShutdown() {
            return loop.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return loop.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return loop.awaitTermination(timeout, unit);
        }
    }
}
