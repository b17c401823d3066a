package io.tidemark.requests;

import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.transport.InterceptedRequest;
import io.tidemark.broker.transport.NodeDoor;
import io.tidemark.broker.transport.RequestFaults;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Every fault of requests that one cluster has, asked by the doors of its nodes. Safe from any thread.
 *
 * <pre>{@code
 * for (RequestFault fault : board.faults()) {
 *     System.out.println(fault + " struck " + fault.struck() + " times");
 * }
 * board.healAll();
 * }</pre>
 */
public final class RequestFaultBoard implements RequestFaults {
    private static final long LEARN_SECONDS = 5;

    private final List<RequestFault> faults = new CopyOnWriteArrayList<>();
    private final Map<Integer, NodeDoor> doors = new ConcurrentHashMap<>();
    private final Set<Integer> refusing = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Supplier<CompletableFuture<NodeSnapshot>>> looks = new ConcurrentHashMap<>();
    private final TopicNames topicNames = new TopicNames();

    /** Says how a node is looked into, for the names of topics that requests call by their ids. */
    public void lookInto(int nodeId, Supplier<CompletableFuture<NodeSnapshot>> look) {
        looks.put(nodeId, look);
    }

    /** A node is gone for good. */
    public void forget(int nodeId) {
        looks.remove(nodeId);
        refusing.remove(nodeId);
    }

    /** Heals every fault, and has every node take connections. */
    public void healAll() {
        faults.forEach(RequestFault::heal);
        refusing().forEach(nodeId -> refuse(nodeId, false));
    }

    /** The faults that are not healed. */
    public List<RequestFault> faults() {
        return List.copyOf(faults);
    }

    void add(RequestFault fault) {
        faults.add(fault);
    }

    void remove(RequestFault fault) {
        faults.remove(fault);
    }

    /** Whoever connects to a node is refused, or no longer. Completes when that is so. */
    public CompletableFuture<Void> refuse(int nodeId, boolean isRefused) {
        boolean isChange = isRefused ? refusing.add(nodeId) : refusing.remove(nodeId);
        NodeDoor door = doors.get(nodeId);
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (!isChange || door == null) {
            done.complete(null);
            return done;
        }
        door.loop().execute(() -> {
            if (isRefused) {
                door.refuseConnections();
                done.complete(null);
                return;
            }
            door.acceptConnections().whenComplete((accepted, failure) -> {
                if (failure == null) {
                    done.complete(null);
                } else {
                    done.completeExceptionally(failure);
                }
            });
        });
        return done;
    }

    /** The nodes that refuse connections. */
    public Set<Integer> refusing() {
        return Set.copyOf(refusing);
    }

    TopicNames topicNames() {
        return topicNames;
    }

    /** Learns the names of the topics that there are now, from whichever node tells first. */
    void learnTopics() {
        CompletableFuture<?>[] asked = looks.values().stream()
                .map(look -> look.get().thenAccept(this::learnFrom))
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.anyOf(asked).get(LEARN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // A node that is down knows none; requests are looked up as they come.
        }
    }

    private void learnFrom(NodeSnapshot snapshot) {
        snapshot.metadata().topics().byId().forEach((id, topic) -> topicNames.learn(id, topic.name()));
    }

    void learnTopics(int nodeId, Runnable then) {
        Supplier<CompletableFuture<NodeSnapshot>> look = looks.get(nodeId);
        if (look == null) {
            then.run();
            return;
        }
        look.get().whenComplete((snapshot, failure) -> {
            if (snapshot != null) {
                learnFrom(snapshot);
            }
            then.run();
        });
    }

    @Override
    public void attach(NodeDoor door) {
        doors.put(door.nodeId(), door);
        if (refusing.contains(door.nodeId())) {
            door.loop().execute(door::refuseConnections);
        }
    }

    @Override
    public void detach(NodeDoor door) {
        doors.remove(door.nodeId(), door);
    }

    @Override
    public boolean isAwake() {
        return !faults.isEmpty();
    }

    @Override
    public void onRequest(InterceptedRequest request) {
        Passage passage = new Passage(this, request, List.copyOf(faults));
        request.attach(passage);
        passage.start();
    }

    @Override
    public void onAnswer(InterceptedRequest request, @Nullable OutboundFrame answer) {
        Passage passage = request.attachment() instanceof Passage begun ? begun : new Passage(this, request, List.of());
        request.attach(passage);
        passage.answered(answer, faults);
    }
}
