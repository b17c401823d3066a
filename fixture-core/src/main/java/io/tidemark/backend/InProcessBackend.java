package io.tidemark.backend;

import io.tidemark.broker.Broker;
import io.tidemark.broker.BrokerConfig;
import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.PageCacheAction;
import io.tidemark.broker.PageCacheReport;
import io.tidemark.broker.SystemEnvironment;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.time.SystemClock;
import io.tidemark.broker.transport.LinkFaults;
import io.tidemark.broker.types.TopicPartition;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Runs each node on one loop of its own in this JVM: the fastest way, and the default.
 *
 * <pre>{@code
 * BackendNode node = new InProcessBackend().create(spec);
 * node.start().get();
 * }</pre>
 */
public final class InProcessBackend implements Backend {
    private static final Set<Capability> CAPABILITIES = Collections.unmodifiableSet(EnumSet.allOf(Capability.class));

    /** One for the whole cluster, so that its nodes agree on the time. */
    private final SystemClock clock = new SystemClock();

    private final LinkFaults links = new LinkFaults();

    @Override
    public String name() {
        return "in-process";
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public BackendNode create(NodeSpec spec) {
        BrokerConfig config = BrokerConfig.of(spec.properties(), BrokerConfig.UnknownNames.REJECT);
        SystemEnvironment real = new SystemEnvironment(clock, spec.seed());
        return new InProcessNode(Broker.create(config, new HurtableEnvironment(real, spec.nodeId(), links)));
    }

    @Override
    public LinkFaults links() {
        return links;
    }

    private record InProcessNode(Broker broker) implements BackendNode {
        @Override
        public CompletableFuture<Void> start() {
            return broker.start();
        }

        @Override
        public CompletableFuture<Void> shutdown() {
            return broker.shutdown();
        }

        @Override
        public void kill() {
            broker.kill();
        }

        @Override
        public void pause() {
            broker.pause();
        }

        @Override
        public void resume() {
            broker.resume();
        }

        @Override
        public CompletableFuture<NodeSnapshot> snapshot() {
            return broker.snapshot();
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiMessage request) {
            return broker.call(request);
        }

        @Override
        public CompletableFuture<PageCacheReport> pageCache(TopicPartition partition, PageCacheAction action) {
            return broker.pageCache(partition, action);
        }
    }
}
