package io.tidemark.broker.transport;

import io.tidemark.broker.time.Loop;

/**
 * A host that passes everything on to another. What stands in front of a host overrides what it is about.
 *
 * <pre>{@code
 * final class CountedHost extends ForwardingHost {
 *     public void pause() {
 *         pauses.increment();
 *         super.pause();
 *     }
 * }
 * }</pre>
 */
public abstract class ForwardingHost implements NodeHost {
    /** Where everything goes. */
    protected final NodeHost real;

    protected ForwardingHost(NodeHost real) {
        this.real = real;
    }

    @Override
    public Loop loop() {
        return real.loop();
    }

    @Override
    public Network network() {
        return real.network();
    }

    @Override
    public void halt() {
        real.halt();
    }

    @Override
    public void pause() {
        real.pause();
    }

    @Override
    public void resume() {
        real.resume();
    }

    @Override
    public void close(Runnable whenEnded) {
        real.close(whenEnded);
    }
}
