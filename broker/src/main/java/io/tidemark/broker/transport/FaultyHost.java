package io.tidemark.broker.transport;

/** A host whose network can be hurt. */
final class FaultyHost extends ForwardingHost {
    private final FaultyNetwork network;

    FaultyHost(NodeHost real, FaultyNetwork network) {
        super(real);
        this.network = network;
    }

    @Override
    public Network network() {
        return network;
    }

    @Override
    public void halt() {
        network.detach();
        super.halt();
    }

    @Override
    public void close(Runnable whenEnded) {
        network.detach();
        super.close(whenEnded);
    }
}
