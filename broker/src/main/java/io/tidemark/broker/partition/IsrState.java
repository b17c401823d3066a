package io.tidemark.broker.partition;

import java.util.ArrayList;
import java.util.List;

/**
 * The in-sync replicas: what the controller has committed, and what this leader has asked it for.
 *
 * <pre>
 *   Committed --propose--> PendingExpansion | PendingShrink --accepted, refused, or newer metadata--> Committed
 * </pre>
 *
 * The high watermark counts over the {@link #maximal()} set: a member on its way in already holds it back, one on its
 * way out holds it back still, since the leader cannot know what the controller has already committed (KIP-497). One that
 * is out by the controller's answer does so until the metadata tells it, see {@link LeaderPartition#onIsrAccepted}.
 */
public sealed interface IsrState {
    /** What is known to be committed. */
    List<Integer> committed();

    /** Every replica that may be in the committed set by now. */
    List<Integer> maximal();

    /** The partition epoch of the committed set. */
    int partitionEpoch();

    /**
     * No proposal is under way.
     *
     * @param committed the members
     * @param partitionEpoch the epoch at which they were committed
     */
    record Committed(List<Integer> committed, int partitionEpoch) implements IsrState {
        public Committed {
            committed = List.copyOf(committed);
        }

        @Override
        public List<Integer> maximal() {
            return committed;
        }

        PendingExpansion expanding(List<Integer> joining) {
            return new PendingExpansion(this, joining);
        }

        PendingShrink shrinking(List<Integer> leaving) {
            return new PendingShrink(this, leaving);
        }
    }

    /** A proposal is under way. */
    sealed interface Pending extends IsrState {
        /** The state to return to where the proposal is refused. */
        Committed last();

        /** The members proposed. */
        List<Integer> proposed();

        @Override
        default List<Integer> committed() {
            return last().committed();
        }

        @Override
        default int partitionEpoch() {
            return last().partitionEpoch();
        }
    }

    /**
     * Replicas have caught up and are to join.
     *
     * @param last what is committed
     * @param joining who is to join it
     */
    record PendingExpansion(Committed last, List<Integer> joining) implements Pending {
        public PendingExpansion {
            joining = List.copyOf(joining);
        }

        @Override
        public List<Integer> proposed() {
            return maximal();
        }

        @Override
        public List<Integer> maximal() {
            List<Integer> all = new ArrayList<>(last.committed());
            all.addAll(joining);
            return List.copyOf(all);
        }
    }

    /**
     * Replicas lag and are to leave.
     *
     * @param last what is committed
     * @param leaving who is to leave it
     */
    record PendingShrink(Committed last, List<Integer> leaving) implements Pending {
        public PendingShrink {
            leaving = List.copyOf(leaving);
        }

        @Override
        public List<Integer> proposed() {
            List<Integer> rest = new ArrayList<>(last.committed());
            rest.removeAll(leaving);
            return List.copyOf(rest);
        }

        @Override
        public List<Integer> maximal() {
            return last.committed();
        }
    }
}
