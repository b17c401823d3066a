package io.tidemark.broker.fetch;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchResponse;

/** A partition of a session: what its reader asked last, and what it was told last. */
final class SessionPartition {
    /** Told after an error, so that the next answer without one is a change. */
    private static final long NOT_TOLD = -1;

    private FetchItem item;
    private long toldHighWatermark = NOT_TOLD;
    private long toldLogStartOffset = NOT_TOLD;

    SessionPartition(FetchItem item) {
        this.item = item;
    }

    FetchItem item() {
        return item;
    }

    void update(FetchItem newItem) {
        item = newItem;
    }

    /** Notes the answer, and says whether it tells the reader anything new. */
    boolean isNews(FetchResponse.PartitionData data) {
        boolean isNews = hasRecords(data) || isAhead(data);
        if (data.highWatermark() != toldHighWatermark) {
            toldHighWatermark = data.highWatermark();
            isNews = true;
        }
        if (data.logStartOffset() != toldLogStartOffset) {
            toldLogStartOffset = data.logStartOffset();
            isNews = true;
        }
        if (data.preferredReadReplica() >= 0
                || data.divergingEpoch().epoch() >= 0
                || data.divergingEpoch().endOffset() >= 0) {
            isNews = true;
        }
        if (data.errorCode() != ErrorCode.NONE.code()) {
            toldHighWatermark = NOT_TOLD;
            isNews = true;
        }
        return isNews;
    }

    /**
     * A follower may have been told and not have followed, since the answer also had a diverging epoch, or it was lost.
     * Where it says how far it is, that counts.
     */
    private boolean isAhead(FetchResponse.PartitionData data) {
        boolean isFollower = item.logStartOffset() >= 0;
        return data.highWatermark() > item.highWatermark()
                || (isFollower && data.logStartOffset() > item.logStartOffset());
    }

    static boolean hasRecords(FetchResponse.PartitionData data) {
        return data.records() != null && data.records().sizeInBytes() > 0;
    }
}
