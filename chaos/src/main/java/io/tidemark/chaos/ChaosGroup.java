package io.tidemark.chaos;

import io.tidemark.Cluster;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.requests.RequestFault;
import java.time.Duration;

/**
 * A consumer group, to be disturbed. Safe from any thread.
 *
 * <pre>{@code
 * chaos.group("billing").expireMember("billing-app-2").moveCoordinator();
 * }</pre>
 */
public final class ChaosGroup {
    private final Chaos chaos;
    private final Cluster cluster;
    private final String groupId;

    ChaosGroup(Chaos chaos, Cluster cluster, String groupId) {
        this.chaos = chaos;
        this.cluster = cluster;
        this.groupId = groupId;
    }

    /**
     * Takes the members with a client id out, as if their sessions had timed out. They hear of it at their next heartbeat
     * and join again.
     */
    public ChaosGroup expireMember(String clientId) {
        return deed("expireMember", clientId, () -> cluster.groups().expireMember(groupId, clientId));
    }

    /**
     * Tells each member that there is now that its group rebalances, at its next heartbeat, so that all of them join again.
     *
     * @return the fault, which has struck as many times as there are members when all have heard
     */
    public RequestFault rebalance() {
        int members = cluster.group(groupId).snapshot().members().size();
        return chaos.requests()
                .on(ApiKey.HEARTBEAT)
                .group(groupId)
                .times(Math.max(1, members))
                .answer(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    /** Each member that joins does so later, and the others wait for it. */
    public RequestFault delayJoin(Duration by) {
        return chaos.requests().on(ApiKey.JOIN_GROUP).group(groupId).delay(by);
    }

    /** Has another broker coordinate the group. */
    public ChaosGroup moveCoordinator() {
        return deed("moveCoordinator", "", () -> cluster.groups().moveCoordinator(groupId));
    }

    /** Kills the broker that coordinates the group. */
    public ChaosGroup killCoordinator() {
        chaos.kill(cluster.groups().coordinatorPartition(groupId).leader());
        return this;
    }

    private ChaosGroup deed(String kind, String what, Runnable doIt) {
        chaos.damage().deed(kind, "group " + groupId + (what.isEmpty() ? "" : ", " + what), doIt);
        return this;
    }
}
