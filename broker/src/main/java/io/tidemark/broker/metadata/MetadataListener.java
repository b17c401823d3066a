package io.tidemark.broker.metadata;

/** Hears of each new image, on the loop of the node that replayed it, in order. */
@FunctionalInterface
public interface MetadataListener {
    /**
     * @param delta what changed since the image before
     * @param image the image now
     */
    void onMetadataUpdate(MetadataDelta delta, MetadataImage image);
}
