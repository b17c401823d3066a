package io.tidemark.chaos;

import io.tidemark.Cluster;
import io.tidemark.ClusterException;
import io.tidemark.ClusterLinks;
import io.tidemark.ClusterNode;
import io.tidemark.LinkFault;
import io.tidemark.NodeDisk;
import io.tidemark.NodeState;
import io.tidemark.requests.RequestFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** What one {@link Chaos} has done to its cluster, and has to heal. Safe from any thread. */
final class Damage {
    private static final Duration HEAL_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration HEAL_LOOK = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final long startNanos = System.nanoTime();
    private final Set<Integer> hurt = new LinkedHashSet<>();
    private final Set<Integer> skewed = new LinkedHashSet<>();
    private final Set<Integer> refusing = new LinkedHashSet<>();
    private final Set<Integer> hurtDisks = new LinkedHashSet<>();
    private boolean isLeadershipHurt;
    private final List<LinkFault> linkFaults = new ArrayList<>();
    private final List<RequestFault> requestFaults = new ArrayList<>();
    private final DeclaredFaults declared = new DeclaredFaults();
    private final List<Fault> timeline = new ArrayList<>();
    private final SplittableRandom random;

    Damage(Cluster cluster) {
        this.cluster = cluster;
        this.random = new SplittableRandom(cluster.seed());
    }

    /** What waits for something to strike. */
    DeclaredFaults declared() {
        return declared;
    }

    synchronized List<Fault> timeline() {
        return List.copyOf(timeline);
    }

    synchronized List<LinkFault> linkFaults() {
        return List.copyOf(linkFaults);
    }

    synchronized long nextSeed() {
        return random.nextLong();
    }

    synchronized void remember(String kind, String target) {
        timeline.add(new Fault(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos), kind, target));
    }

    /** Something is done that ends by itself. */
    void deed(String kind, String target, Runnable doIt) {
        doIt.run();
        remember(kind, target);
    }

    /** As {@link #deed}, after which partitions are given back to their preferred leaders. */
    void leadershipFault(String kind, String target, Runnable doIt) {
        synchronized (this) {
            isLeadershipHurt = true;
        }
        deed(kind, target, doIt);
    }

    void fault(String kind, int nodeId, Consumer<ClusterNode> doIt) {
        doIt.accept(cluster.node(nodeId));
        synchronized (this) {
            hurt.add(nodeId);
        }
        remember(kind, String.valueOf(nodeId));
    }

    void refuseConnections(int nodeId) {
        fault("refuseConnections", nodeId, ClusterNode::refuseConnections);
        synchronized (this) {
            refusing.add(nodeId);
        }
    }

    void acceptConnections(int nodeId) {
        fault("acceptConnections", nodeId, ClusterNode::acceptConnections);
        synchronized (this) {
            refusing.remove(nodeId);
        }
    }

    void skew(int nodeId, Duration by) {
        cluster.clock().skew(nodeId, by);
        synchronized (this) {
            skewed.add(nodeId);
        }
        remember("skew", nodeId + " by " + by);
    }

    /** Something is done to a disk. */
    void diskFault(String kind, int nodeId, Runnable doIt) {
        fault(kind, nodeId, node -> {
            synchronized (this) {
                hurtDisks.add(nodeId);
            }
            doIt.run();
        });
    }

    /** As {@link #diskFault}, where it waits for the node to use its disk. */
    void waitingDiskFault(String kind, int nodeId, Runnable doIt) {
        NodeDisk disk = cluster.node(nodeId).disk();
        long before = disk.strikes();
        diskFault(kind, nodeId, doIt);
        declared.add(DeclaredFault.of(kind + " of node " + nodeId, () -> disk.strikes() - before));
    }

    synchronized void linkFault(String kind, String target, Function<ClusterLinks, LinkFault> doIt) {
        LinkFault fault = doIt.apply(cluster.links());
        declared.add(DeclaredFault.of(fault));
        linkFaults.add(fault);
        remember(kind, target);
    }

    void declared(RequestFault fault) {
        declared.add(DeclaredFault.of(fault));
        synchronized (this) {
            requestFaults.add(fault);
        }
        remember("requests", fault.toString());
    }

    synchronized void healLinks() {
        if (!linkFaults.isEmpty()) {
            linkFaults.forEach(LinkFault::heal);
            linkFaults.clear();
            remember("healLinks", "");
        }
    }

    synchronized void healRequests() {
        List<RequestFault> ending =
                requestFaults.stream().filter(fault -> !fault.isHealed()).toList();
        requestFaults.clear();
        if (!ending.isEmpty()) {
            ending.forEach(RequestFault::heal);
            remember("healRequests", "");
        }
    }

    /** On return every node serves and every replica is in sync. */
    void heal() {
        List<ClusterNode> broken;
        synchronized (this) {
            boolean isWhole = hurt.isEmpty()
                    && linkFaults.isEmpty()
                    && requestFaults.isEmpty()
                    && skewed.isEmpty()
                    && !isLeadershipHurt;
            if (isWhole) {
                return;
            }
            broken = new ArrayList<>(cluster.nodes().stream()
                    .filter(node -> hurt.contains(node.id()))
                    .toList());
        }
        healRequests();
        healLinks();
        healClocks();
        // A broker cannot register without its controller.
        broken.sort((a, b) -> Boolean.compare(a.isBroker(), b.isBroker()));
        mend(broken);
        boolean isToBeGivenBack;
        synchronized (this) {
            broken.forEach(node -> hurt.remove(node.id()));
            hurt.retainAll(cluster.nodes().stream().map(ClusterNode::id).toList());
            isToBeGivenBack = isLeadershipHurt;
            isLeadershipHurt = false;
        }
        if (isToBeGivenBack) {
            cluster.leadership().electPreferred();
        }
    }

    private void mend(List<ClusterNode> broken) {
        long deadlineNanos = System.nanoTime() + HEAL_TIMEOUT.toNanos();
        boolean isWhole = false;
        while (!isWhole) {
            broken.forEach(this::mend);
            try {
                cluster.awaitHealthy(HEAL_LOOK);
                // What its disk has refused just before the heal takes a node down a moment later.
                isWhole = broken.stream().allMatch(node -> node.state() == NodeState.RUNNING);
            } catch (ClusterException e) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new ClusterException(
                            "The cluster is not whole " + HEAL_TIMEOUT.toMillis() + " ms after the heal. "
                                    + e.getMessage(),
                            e);
                }
            }
        }
    }

    private void mend(ClusterNode node) {
        boolean isDiskHurt;
        boolean isRefusing;
        synchronized (this) {
            isDiskHurt = hurtDisks.remove(node.id());
            isRefusing = refusing.contains(node.id());
        }
        if (isDiskHurt) {
            node.disk().heal();
        }
        if (isRefusing) {
            acceptConnections(node.id());
        }
        if (node.state() == NodeState.PAUSED) {
            fault("resume", node.id(), ClusterNode::resume);
        } else if (node.state() != NodeState.RUNNING) {
            fault("restart", node.id(), ClusterNode::restart);
        }
    }

    private void healClocks() {
        List<Integer> wrong;
        synchronized (this) {
            wrong = cluster.nodes().stream()
                    .map(ClusterNode::id)
                    .filter(skewed::contains)
                    .toList();
            skewed.clear();
        }
        wrong.forEach(nodeId -> cluster.clock().skew(nodeId, Duration.ZERO));
    }
}
