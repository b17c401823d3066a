package io.tidemark.broker.quorum;

import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;
import io.tidemark.broker.protocol.ApiMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * The metadata of a controller up to the high watermark, and what it has itself written beyond while it leads: that is
 * taken from here when it is committed, and only what others wrote is read from the log.
 */
final class CommittedMetadata implements MetadataSource {
    private final int nodeId;
    private final MetadataPublisher publisher = new MetadataPublisher();
    private final Queue<Appended> uncommitted = new ArrayDeque<>();

    /** One batch in the log whose records are not committed yet; without metadata records where it is for the quorum. */
    private record Appended(long endOffset, int leaderEpoch, List<ApiMessage> records) {
        long baseOffset() {
            return endOffset - records.size();
        }
    }

    CommittedMetadata(int nodeId) {
        this.nodeId = nodeId;
    }

    @Override
    public MetadataImage image() {
        return publisher.image();
    }

    @Override
    public void addListener(MetadataListener listener) {
        publisher.addListener(listener);
    }

    /** @param endOffset the offset after the last of them, or after a record of the quorum's own where there are none */
    void onAppended(long endOffset, int leaderEpoch, List<ApiMessage> records) {
        uncommitted.add(new Appended(endOffset, leaderEpoch, records));
    }

    /** Others lead now, and what was written here may be cut. */
    void forgetUncommitted() {
        uncommitted.clear();
    }

    void onSnapshot(MetadataImage image) {
        publisher.publish(MetadataDelta.between(image(), image));
    }

    /** What the log has between the committed image and an offset, on top of that image. */
    MetadataDelta replay(MetadataLog log, long endOffset) {
        MetadataDelta delta = new MetadataDelta(image());
        replay(log, endOffset, delta);
        return delta;
    }

    private void replay(MetadataLog log, long endOffset, MetadataDelta delta) {
        try {
            log.replay(image().lastOffset() + 1, endOffset, delta);
        } catch (IOException e) {
            throw new UncheckedIOException("Controller " + nodeId + " could not read its log", e);
        }
    }

    void publish(MetadataDelta delta) {
        publisher.publish(delta);
    }

    /**
     * While this node leads: the first time, all that lies in the log below its epoch's own records; then only what was
     * appended.
     *
     * @param epochStartOffset where the epoch that this node leads begins
     */
    void publishUpTo(long highWatermark, MetadataLog log, long epochStartOffset) {
        MetadataDelta delta = new MetadataDelta(image());
        if (image().lastOffset() < epochStartOffset) {
            replay(log, epochStartOffset + 1, delta);
        }
        for (Appended next = uncommitted.peek();
                next != null && next.endOffset() <= highWatermark;
                next = uncommitted.peek()) {
            uncommitted.remove();
            long offset = next.baseOffset();
            for (ApiMessage record : next.records()) {
                delta.replay(offset++, next.leaderEpoch(), record);
            }
            delta.advance(next.endOffset() - 1, next.leaderEpoch());
        }
        publisher.publish(delta);
    }
}
