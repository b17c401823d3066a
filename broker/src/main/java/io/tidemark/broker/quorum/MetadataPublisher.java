package io.tidemark.broker.quorum;

import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;
import java.util.ArrayList;
import java.util.List;

/** Holds the newest committed image, and tells of each. */
final class MetadataPublisher implements MetadataSource {
    private final List<MetadataListener> listeners = new ArrayList<>();
    private MetadataImage image = MetadataImage.EMPTY;

    @Override
    public MetadataImage image() {
        return image;
    }

    @Override
    public void addListener(MetadataListener listener) {
        listeners.add(listener);
    }

    void publish(MetadataDelta delta) {
        image = delta.apply();
        for (MetadataListener listener : List.copyOf(listeners)) {
            listener.onMetadataUpdate(delta, image);
        }
    }
}
