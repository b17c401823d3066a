package io.tidemark.chaos;

import io.tidemark.ClusterLeadership;

/**
 * Who leads, changed under the application while no broker is down; {@link Chaos#heal()} gives every partition back to its
 * preferred leader. Safe from any thread.
 *
 * <pre>{@code
 * chaos.leadership().elect("orders", 0, 3).flap("orders", 1, 5).shuffle();
 * }</pre>
 */
public final class ChaosLeadership {
    private final Chaos chaos;
    private final ClusterLeadership leadership;

    ChaosLeadership(Chaos chaos, ClusterLeadership leadership) {
        this.chaos = chaos;
        this.leadership = leadership;
    }

    /** Has a replica in sync lead now: see {@link ClusterLeadership#elect}. */
    public ChaosLeadership elect(String topic, int partition, int brokerId) {
        return deed(
                "elect",
                topic + "-" + partition + " -> " + brokerId,
                () -> leadership.elect(topic, partition, brokerId));
    }

    /** Has a replica out of sync lead where there is no leader: see {@link ClusterLeadership#electUnclean}. */
    public ChaosLeadership electUnclean(String topic, int partition) {
        return deed("electUnclean", topic + "-" + partition, () -> leadership.electUnclean(topic, partition));
    }

    /** Has another replica in sync lead every partition, as the cluster's seed decides. */
    public ChaosLeadership shuffle() {
        return deed(
                "shuffleLeaders", "", () -> leadership.shuffle(chaos.damage().nextSeed()));
    }

    /** Has the next replica in sync lead, so many times in a row. */
    public ChaosLeadership flap(String topic, int partition, int times) {
        return deed(
                "flap",
                topic + "-" + partition + ", " + times + " times",
                () -> leadership.flap(topic, partition, times));
    }

    private ChaosLeadership deed(String kind, String target, Runnable doIt) {
        chaos.damage().leadershipFault(kind, target, doIt);
        return this;
    }
}
