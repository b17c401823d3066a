package io.tidemark.broker.log.cleaner;

import io.tidemark.broker.log.LogConfig;
import io.tidemark.broker.log.SegmentSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts segments together that follow one another, each group to become one segment: as many as would fit by their sizes
 * of today, so that logs do not end as many small files.
 */
final class SegmentGroups {
    private SegmentGroups() {}

    static List<List<SegmentSource>> of(List<SegmentSource> segments, LogConfig config) {
        List<List<SegmentSource>> groups = new ArrayList<>();
        List<SegmentSource> group = new ArrayList<>();
        long bytes = 0;
        long indexBytes = 0;
        for (SegmentSource segment : segments) {
            boolean fits = bytes + segment.sizeInBytes() <= config.segmentBytes()
                    && indexBytes + segment.indexBytes() <= config.segmentIndexBytes()
                    && (group.isEmpty()
                            || segment.endOffset() - 1 - group.get(0).baseOffset() <= Integer.MAX_VALUE);
            if (!fits && !group.isEmpty()) {
                groups.add(group);
                group = new ArrayList<>();
                bytes = 0;
                indexBytes = 0;
            }
            group.add(segment);
            bytes += segment.sizeInBytes();
            indexBytes += segment.indexBytes();
        }
        if (!group.isEmpty()) {
            groups.add(group);
        }
        return groups;
    }
}
