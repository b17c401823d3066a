package io.tidemark.broker.transaction.markers;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transaction.TransactionEffect.SendMarkers;
import io.tidemark.broker.transport.LinkScope;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes the markers of ended transactions to the leaders of their partitions, until all are written. */
public final class MarkerSender implements MetadataListener {
    private static final NodeLog LOG = NodeLog.of(MarkerSender.class);
    private static final int NO_LEADER = -1;

    private final Peers peers;
    private final Loop loop;
    private final String listener;
    private final Supplier<MetadataImage> image;
    private final Completion completion;
    private final Map<Integer, Destination> destinations = new TreeMap<>();
    private final Set<Marker> leaderless = new LinkedHashSet<>();
    private final Set<EndingTransaction> ending = new LinkedHashSet<>();

    /** Hears of transactions whose markers are all written. */
    @FunctionalInterface
    public interface Completion {
        /** Called on the loop, later than {@link MarkerSender#add}. */
        void onAllWritten(int coordinatorPartition, SendMarkers markers);
    }

    private record Destination(Endpoint endpoint, MarkerQueue queue) {}

    /**
     * @param listener the brokers' listener for each other
     * @param image the metadata as this node knows it now
     */
    public MarkerSender(Peers peers, Loop loop, String listener, Supplier<MetadataImage> image, Completion completion) {
        this.peers = peers;
        this.loop = loop;
        this.listener = listener;
        this.image = image;
        this.completion = completion;
    }

    /**
     * Writes the markers of a transaction.
     *
     * @param coordinatorPartition the partition of {@code __transaction_state} that the transactional id is on
     * @param coordinatorEpoch the epoch in which this node leads it
     */
    public void add(int coordinatorPartition, int coordinatorEpoch, SendMarkers markers) {
        EndingTransaction transaction = new EndingTransaction(coordinatorPartition, coordinatorEpoch, markers);
        ending.add(transaction);
        if (transaction.isWritten()) {
            finish(transaction);
        }
        markers.partitions().forEach(partition -> place(new Marker(transaction, partition)));
    }

    /** This node is no longer the coordinator of a partition's transactions. */
    public void drop(int coordinatorPartition) {
        ending.removeIf(transaction -> {
            boolean isGone = transaction.coordinatorPartition() == coordinatorPartition;
            if (isGone) {
                transaction.drop();
            }
            return isGone;
        });
        leaderless.removeIf(marker -> marker.transaction().isDropped());
    }

    /** The partitions in which the end of an id's transaction is written, while others are missing. */
    public Set<TopicPartition> written(String transactionalId) {
        for (EndingTransaction transaction : ending) {
            if (transaction.markers().transactionalId().equals(transactionalId)) {
                return transaction.written();
            }
        }
        return Collections.emptySet();
    }

    /** How many transactions wait for markers, for a look from outside. */
    public int endingCount() {
        return ending.size();
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage newImage) {
        List<Marker> misplaced = new ArrayList<>(leaderless);
        leaderless.clear();
        for (Destination destination : destinations.values()) {
            misplaced.addAll(destination.queue().takeWaiting());
        }
        misplaced.forEach(this::place);
    }

    private void place(Marker marker) {
        EndingTransaction transaction = marker.transaction();
        if (transaction.isDropped()) {
            return;
        }
        PartitionRegistration partition = image.get().topics().partition(marker.partition());
        if (partition == null) {
            // Partitions are checked before they are added, so this one is deleted, and nobody can see its records.
            onWritten(marker);
            return;
        }
        MarkerQueue queue = partition.leader() == NO_LEADER ? null : queueTo(partition.leader());
        if (queue == null) {
            leaderless.add(marker);
        } else {
            queue.add(marker);
        }
    }

    private @Nullable MarkerQueue queueTo(int brokerId) {
        BrokerRegistration broker = image.get().cluster().broker(brokerId);
        Endpoint endpoint = broker == null ? null : broker.endpoint(listener);
        if (endpoint == null) {
            return null;
        }
        Destination destination = destinations.get(brokerId);
        if (destination != null && !destination.endpoint().equals(endpoint)) {
            destination.queue().takeWaiting().forEach(leaderless::add);
            destination.queue().close();
            destination = null;
        }
        if (destination == null) {
            MarkerQueue queue = new MarkerQueue(
                    peers.open(endpoint.host(), endpoint.port(), LinkScope.TRANSACTION_MARKERS), loop, new Answers());
            destination = new Destination(endpoint, queue);
            destinations.put(brokerId, destination);
        }
        return destination.queue();
    }

    private void onWritten(Marker marker) {
        if (marker.transaction().onWritten(marker.partition())) {
            finish(marker.transaction());
        }
    }

    private void finish(EndingTransaction transaction) {
        loop.execute(() -> {
            if (ending.remove(transaction)) {
                completion.onAllWritten(transaction.coordinatorPartition(), transaction.markers());
            }
        });
    }

    public void close() {
        destinations.values().forEach(destination -> destination.queue().close());
        destinations.clear();
        ending.forEach(EndingTransaction::drop);
        ending.clear();
        leaderless.clear();
    }

    private final class Answers implements MarkerQueue.Outcomes {
        @Override
        public boolean onAnswer(List<Marker> sent, WriteTxnMarkersResponse response) {
            Map<Long, Map<TopicPartition, ErrorCode>> outcomes = MarkerRequests.outcomes(response);
            boolean isRetryNeeded = false;
            for (Marker marker : sent) {
                isRetryNeeded |= !isSettled(marker, MarkerRequests.outcome(marker, outcomes));
            }
            return isRetryNeeded;
        }

        private boolean isSettled(Marker marker, ErrorCode error) {
            switch (error) {
                case NONE, UNSUPPORTED_FOR_MESSAGE_FORMAT, UNSUPPORTED_VERSION -> {
                    onWritten(marker);
                    return true;
                }
                case INVALID_PRODUCER_EPOCH, TRANSACTION_COORDINATOR_FENCED -> {
                    LOG.info(
                            "The markers of transactional id {} are not written any more: {} has seen a newer"
                                    + " coordinator or producer ({})",
                            marker.transaction().markers().transactionalId(),
                            marker.partition(),
                            error);
                    marker.transaction().drop();
                    ending.remove(marker.transaction());
                    return true;
                }
                default -> {
                    LOG.debug(
                            "The marker of {} for {} is sent again: {}",
                            marker.transaction().markers().transactionalId(),
                            marker.partition(),
                            error);
                    place(marker);
                    return false;
                }
            }
        }

        @Override
        public void onNoAnswer(List<Marker> sent) {
            sent.forEach(MarkerSender.this::place);
        }
    }
}
