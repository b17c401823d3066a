package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.PartitionRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A partition on its way from some replicas to others (KIP-455). While it is under way the partition has both: first
 * those that it is to have, then those that it is to lose. It is over once those that it adds are in sync; where it
 * removes more than it adds, once all that stay are, for else it could leave fewer in sync than there were.
 *
 * @param replicas all of them, the preferred leader first
 * @param removing those that go when it is over
 * @param adding those that came with it, and would go with a cancellation
 */
record Reassignment(List<Integer> replicas, List<Integer> removing, List<Integer> adding) {
    Reassignment {
        replicas = List.copyOf(replicas);
        removing = List.copyOf(removing);
        adding = List.copyOf(adding);
    }

    static Reassignment of(PartitionRegistration partition) {
        return new Reassignment(partition.replicas(), partition.removingReplicas(), partition.addingReplicas());
    }

    static Reassignment between(List<Integer> current, List<Integer> target) {
        List<Integer> removing = difference(current, target);
        List<Integer> replicas = new ArrayList<>(target);
        replicas.addAll(removing);
        return new Reassignment(replicas, removing, difference(target, current));
    }

    boolean isUnderWay() {
        return !removing.isEmpty() || !adding.isEmpty();
    }

    /** The replicas once it is over. */
    List<Integer> target() {
        return without(replicas, removing);
    }

    /** The replicas as if it had never begun. */
    List<Integer> original() {
        return without(replicas, adding);
    }

    /** Whether it is over with these in sync. */
    boolean isCompleteWith(List<Integer> isr) {
        List<Integer> staying = without(isr, removing);
        return isUnderWay()
                && (removing.isEmpty() || !(staying.isEmpty() || target().isEmpty()))
                && staying.containsAll(adding)
                && (adding.size() >= removing.size() || staying.containsAll(target()));
    }

    static List<Integer> without(List<Integer> all, List<Integer> some) {
        List<Integer> rest = new ArrayList<>(all);
        rest.removeAll(some);
        return List.copyOf(rest);
    }

    private static List<Integer> difference(List<Integer> all, List<Integer> some) {
        TreeSet<Integer> rest = new TreeSet<>(all);
        some.forEach(rest::remove);
        return List.copyOf(rest);
    }
}
