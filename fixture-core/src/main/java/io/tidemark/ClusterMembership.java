package io.tidemark;

import io.tidemark.backend.Backend;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.UnregisterBrokerRequest;
import io.tidemark.broker.protocol.message.UnregisterBrokerResponse;
import java.util.List;
import java.util.function.Consumer;

/**
 * Nodes that come and go while the cluster runs, as an operator has them do: a broker is stopped and unregistered, a
 * controller is given its vote and loses it. One change at a time.
 */
final class ClusterMembership {
    private final Cluster cluster;
    private final ClusterNodes nodes;
    private final ClusterLayout layout;
    private final Backend backend;
    private final ClusterQuorum quorum;
    private final Consumer<ClusterNode> adopt;

    /** @param adopt makes a node that serves one of the cluster's */
    ClusterMembership(
            Cluster cluster, ClusterNodes nodes, ClusterLayout layout, Backend backend, Consumer<ClusterNode> adopt) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.layout = layout;
        this.backend = backend;
        this.quorum = new ClusterQuorum(cluster);
        this.adopt = adopt;
    }

    ClusterNode addBroker() {
        return addBroker(layout.nextBrokerId());
    }

    synchronized ClusterNode addBroker(int id) {
        if (id < 1 || id >= ClusterSpec.CONTROLLER_ID || nodes.has(id)) {
            throw new IllegalArgumentException("Broker [" + id + "] cannot be added: the cluster has " + nodes.all()
                    + "; take an id of 1 to " + (ClusterSpec.CONTROLLER_ID - 1) + " that none of them has");
        }
        ClusterNode broker = layout.createBroker(backend, id);
        start(broker);
        Readiness.awaitNothing(
                () -> Readiness.missingOf(cluster.view(), id, true),
                "The new " + broker + " is not ready",
                timeoutMs());
        broker.did("added");
        return broker;
    }

    synchronized List<PartitionState> removeBroker(int id, HeldReplicas fate) {
        ClusterNode broker = nodes.broker(id);
        if (layout.voterIds().contains(id)) {
            throw new IllegalStateException("Broker [" + id
                    + "] cannot be removed: it is a controller too; call removeController(" + id + ") first");
        }
        if (nodes.runningBrokerIds().stream().allMatch(other -> other == id)) {
            throw new IllegalStateException("Broker [" + id + "] cannot be removed: no other broker runs");
        }
        Evacuation evacuation = new Evacuation(cluster, id);
        List<PartitionState> held = evacuation.held();
        if (!held.isEmpty() && fate == HeldReplicas.REFUSE) {
            throw new IllegalStateException("Broker [" + id + "] cannot be removed: it holds replicas of "
                    + Evacuation.names(held) + "; have them moved to other brokers with removeBroker(" + id
                    + ", HeldReplicas.MOVE), or given up with HeldReplicas.ABANDON");
        }
        if (fate == HeldReplicas.MOVE) {
            evacuation.run();
        }
        end(broker);
        unregister(id);
        forget(broker);
        List<PartitionState> left = evacuation.held();
        broker.did("removed" + (left.isEmpty() ? "" : ", gave up its replicas of " + Evacuation.names(left)));
        return left;
    }

    ClusterNode addController() {
        return addController(layout.nextControllerId());
    }

    synchronized ClusterNode addController(int id) {
        boolean givesVoteBack = layout.isCombined(id) && nodes.has(id);
        if (layout.voterIds().contains(id) || !(givesVoteBack || id >= ClusterSpec.CONTROLLER_ID)) {
            throw new IllegalArgumentException("Controller [" + id + "] cannot be added: the controllers are "
                    + nodes.controllers() + "; take an id of " + ClusterSpec.CONTROLLER_ID
                    + " or more that none of them has");
        }
        if (layout.isOfCopiedData()) {
            throw new IllegalStateException("Controller [" + id + "] cannot be added to a cluster that started with the"
                    + " data of another: the log says where that one's controllers are, and a new one would go there;"
                    + " ask for as many as are needed before the data is saved");
        }
        quorum.makeChangeable();
        ClusterNode controller = givesVoteBack ? nodes.node(id) : layout.createController(backend, id);
        if (!givesVoteBack) {
            start(controller);
        }
        try {
            quorum.add(controller, layout.controllerPort(id));
        } catch (RuntimeException e) {
            if (!givesVoteBack) {
                forget(controller);
            }
            throw e;
        }
        layout.joined(id);
        controller.did("has a vote among the controllers " + layout.voterIds());
        return controller;
    }

    synchronized void removeController(int id) {
        List<Integer> voters = layout.voterIds();
        if (!voters.contains(id)) {
            throw new IllegalArgumentException(
                    "There is no controller [" + id + "]; the controllers are " + nodes.controllers());
        }
        if (voters.size() == 1) {
            throw new IllegalStateException(
                    "Controller [" + id + "] cannot be removed: it is the only one; add another first");
        }
        ClusterNode controller = nodes.node(id);
        quorum.makeChangeable();
        quorum.remove(controller);
        layout.left(id);
        controller.did("has no vote any more; the controllers are " + layout.voterIds());
        if (!controller.isBroker()) {
            end(controller);
            forget(controller);
        }
    }

    /** The nodes that the cluster started with, under their ids; those that were removed have nothing in them. */
    synchronized void restore() {
        List<Integer> brokers = nodes.brokerIds();
        layout.firstBrokerIds().stream().filter(id -> !brokers.contains(id)).forEach(this::addBroker);
        List<Integer> voters = layout.voterIds();
        layout.firstVoterIds().stream().filter(id -> !voters.contains(id)).forEach(this::addController);
        voters.stream().filter(id -> !layout.firstVoterIds().contains(id)).forEach(this::removeController);
        brokers.stream()
                .filter(id -> !layout.firstBrokerIds().contains(id))
                .forEach(id -> removeBroker(id, HeldReplicas.ABANDON));
    }

    private void start(ClusterNode node) {
        nodes.add(List.of(node));
        try {
            Outcome.await(node.begin(), timeoutMs(), "start " + node);
            adopt.accept(node);
        } catch (RuntimeException e) {
            forget(node);
            throw e;
        }
    }

    private static void end(ClusterNode node) {
        if (node.state() == NodeState.RUNNING) {
            node.stop();
        }
    }

    private void forget(ClusterNode node) {
        node.close(false);
        nodes.remove(node);
        backend.forget(node.id());
        ClusterFiles.delete(node.logDirectory());
    }

    private void unregister(int id) {
        UnregisterBrokerResponse response = cluster.askController(
                new UnregisterBrokerRequest().setBrokerId(id),
                UnregisterBrokerResponse.class,
                "unregister broker " + id);
        if (response.errorCode() != ErrorCode.NONE.code()) {
            throw new ClusterException("Could not unregister broker " + id + ": "
                    + ErrorCode.forCode(response.errorCode())
                    + (response.errorMessage() == null ? "" : ": " + response.errorMessage()));
        }
        Readiness.awaitNothing(
                () -> cluster.view().snapshots().values().stream()
                        .filter(node ->
                                node.nodeId() != id && node.metadata().cluster().broker(id) != null)
                        .map(node -> "node " + node.nodeId() + " to hear of it")
                        .toList(),
                "Broker " + id + " is unregistered, and not everybody knows",
                timeoutMs());
    }

    private long timeoutMs() {
        return cluster.startTimeout().toMillis();
    }
}
