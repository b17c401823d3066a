package io.tidemark.broker.quorum;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;

/** The committed metadata, as this node has replayed it. On the node's loop only. */
public interface MetadataSource {
    /** The newest committed image; the empty one before anything was replayed. */
    MetadataImage image();

    /** Has the listener called with every image from now on, in the order in which listeners were added. */
    void addListener(MetadataListener listener);
}
