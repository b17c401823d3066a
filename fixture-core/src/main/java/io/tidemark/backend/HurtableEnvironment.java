package io.tidemark.backend;

import io.tidemark.broker.BrokerEnvironment;
import io.tidemark.broker.SystemEnvironment;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.FaultyDisk;
import io.tidemark.broker.replication.ReplicaWatch;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.transport.LinkFaults;
import io.tidemark.broker.transport.NodeDoor;
import io.tidemark.broker.transport.NodeHost;
import io.tidemark.journal.ClusterJournal;
import io.tidemark.requests.RequestFaultBoard;
import java.util.function.Consumer;

/** The real world for one node, with doors that can be hurt and that tell the cluster's journal. */
record HurtableEnvironment(
        SystemEnvironment real,
        Clock clock,
        int nodeId,
        LinkFaults links,
        RequestFaultBoard requests,
        FaultyDisk ownDisk,
        NodeStalls stalls,
        ClusterJournal journal)
        implements BrokerEnvironment {
    @Override
    public long seed() {
        return real.seed();
    }

    @Override
    public NodeHost newHost(String threadName, HostLimits limits, Consumer<Throwable> onFault) {
        NodeHost pulsed = stalls.pulsed(
                nodeId,
                clock,
                onFault,
                whenFailed -> real.newHost(threadName, limits, whenFailed, journal.lines(nodeId)));
        NodeHost watched = new WatchedHost(pulsed, nodeId, journal);
        NodeHost host = new NodeDoor(nodeId, watched, requests);
        return links.on(nodeId, host, limits.connectTimeoutMs());
    }

    @Override
    public ReplicaWatch replicaWatch(int id) {
        return journal.watch(id);
    }

    @Override
    public Disk disk(int id) {
        return ownDisk;
    }
}
