package io.tidemark.broker.transport;

import io.tidemark.broker.time.Loop;

/** A host whose network can be hurt. */
record FaultyHost(NodeHost real, FaultyNetwork network) implements NodeHost {
    @Override
    public Loop loop() {
        return real.loop();
    }

    @Override
    public void halt() {
        network.detach();
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
        network.detach();
        real.close(whenEnded);
    }
}
