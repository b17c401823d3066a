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
import java.util.function.Consumer;
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
    private final List<RequestFault> faults = new CopyOnWriteArrayList<>();
    private final Map<Integer, NodeDoor> doors = new ConcurrentHashMap<>();
    private final Set<Integer> refusing = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Supplier<CompletableFuture<NodeSnapshot>>> looks = new ConcurrentHashMap<>();
    private final TopicNames topicNames = new TopicNames();

    /** Says how a node is looked into, for the names of topics that requests call by their ids. */
    public void lookInto(int nodeId, Supplier<CompletableFuture<NodeSnapshot>> look) {
        looks.put(nodeId, look);
    }

    /** Heals every fault. */
    public void healAll() {
        faults.forEach(RequestFault::heal);
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

    /** Whoever connects to these nodes is refused, or no longer. */
    void refuse(Set<Integer> nodeIds, boolean isRefused) {
        for (int nodeId : nodeIds) {
            boolean isChange = isRefused ? refusing.add(nodeId) : refusing.remove(nodeId);
            NodeDoor door = doors.get(nodeId);
            if (isChange && door != null) {
                door.loop().execute(isRefused ? door::refuseConnections : door::acceptConnections);
            }
        }
    }

    /** Does something at the door of each of some nodes, of every node where none is named. */
    void atDoors(Set<Integer> nodeIds, Consumer<NodeDoor> deed) {
        doors.forEach((nodeId, door) -> {
            if (nodeIds.isEmpty() || nodeIds.contains(nodeId)) {
                door.loop().execute(() -> deed.accept(door));
            }
        });
    }

    TopicNames topicNames() {
        return topicNames;
    }

    void learnTopics(int nodeId, Runnable then) {
        Supplier<CompletableFuture<NodeSnapshot>> look = looks.get(nodeId);
        if (look == null) {
            then.run();
            return;
        }
        look.get().whenComplete((snapshot, failure) -> {
            if (snapshot != null) {
                snapshot.metadata().topics().byId().forEach((id, topic) -> topicNames.learn(id, topic.name()));
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
