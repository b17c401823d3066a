package io.tidemark;

import io.tidemark.backend.Backend;
import io.tidemark.backend.BackendNode;
import io.tidemark.backend.Capability;
import io.tidemark.backend.NodeSpec;
import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.PageCacheAction;
import io.tidemark.broker.PageCacheReport;
import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.CarriedRecords;
import io.tidemark.broker.metadata.ClusterImage;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.TopicsImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.time.SystemClock;
import io.tidemark.broker.transport.LinkFaults;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Nodes that only remember what was done to them. Every one that runs is registered in the metadata of all. */
final class FakeBackend implements Backend {
    final List<String> calls = new ArrayList<>();
    final Map<Integer, RuntimeException> startFailures = new HashMap<>();
    final Set<Integer> neverStarting = new HashSet<>();

    /** Why nodes have ended by themselves; their next lives know nothing of it. */
    final Map<Integer, Throwable> faults = new HashMap<>();

    final Set<Integer> fenced = new HashSet<>();

    /** What comes of a look at a node, after it was taken; with the node's id. */
    IntConsumer afterLook = id -> {};

    private final LinkFaults links = new LinkFaults();

    Set<Capability> capabilities = EnumSet.allOf(Capability.class);
    private final SystemClock clock = new SystemClock();
    private final SortedSet<Integer> registered = new TreeSet<>();

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public SystemClock clock() {
        return clock;
    }

    @Override
    public LinkFaults links() {
        return links;
    }

    @Override
    public BackendNode create(NodeSpec spec) {
        return new FakeNode(spec.nodeId());
    }

    private SortedMap<Integer, BrokerRegistration> registrations() {
        SortedMap<Integer, BrokerRegistration> registrations = new TreeMap<>();
        for (int id : registered) {
            boolean isFenced = fenced.contains(id);
            registrations.put(
                    id,
                    new BrokerRegistration(
                            id, 1, Uuid.ZERO, List.of(), null, isFenced, false, List.of(), null, new TreeMap<>()));
        }
        return registrations;
    }

    private final class FakeNode implements BackendNode {
        private final int id;

        FakeNode(int id) {
            this.id = id;
        }

        @Override
        public CompletableFuture<Void> start() {
            calls.add("start " + id);
            if (startFailures.containsKey(id)) {
                return CompletableFuture.failedFuture(startFailures.get(id));
            }
            if (neverStarting.contains(id)) {
                return new CompletableFuture<>();
            }
            faults.remove(id);
            registered.add(id);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public @Nullable Throwable fault() {
            return faults.get(id);
        }

        @Override
        public CompletableFuture<Void> shutdown() {
            calls.add("shutdown " + id);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void kill() {
            calls.add("kill " + id);
        }

        @Override
        public void pause() {
            calls.add("pause " + id);
        }

        @Override
        public void resume() {
            calls.add("resume " + id);
        }

        @Override
        public CompletableFuture<NodeSnapshot> snapshot() {
            MetadataImage image = new MetadataImage(
                    7,
                    1,
                    new ClusterImage(registrations(), new TreeMap<>()),
                    TopicsImage.EMPTY,
                    Map.of(),
                    new TreeMap<>(),
                    0,
                    CarriedRecords.EMPTY);
            afterLook.accept(id);
            return CompletableFuture.completedFuture(new NodeSnapshot(id, image, Map.of()));
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiMessage request) {
            calls.add("ask " + id);
            return CompletableFuture.failedFuture(new UnsupportedOperationException(request.toString()));
        }

        @Override
        public CompletableFuture<PageCacheReport> pageCache(TopicPartition partition, PageCacheAction action) {
            calls.add(action + " " + id);
            return CompletableFuture.failedFuture(new UnsupportedOperationException("add what is missing"));
        }
    }
}
