package io.tidemark.broker;

import io.tidemark.broker.disk.PageResidency;
import io.tidemark.broker.types.TopicPartition;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much of one replica's segments is in the page cache. Immutable.
 *
 * @param nodeId the node
 * @param topicPartition the partition
 * @param files each segment, by the name of its file: {@code 00000000000000000000.log}
 */
public record PageCacheReport(int nodeId, TopicPartition topicPartition, SortedMap<String, PageResidency> files) {
    public PageCacheReport {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    /** All segments together. */
    public PageResidency total() {
        return files.values().stream().reduce(PageResidency.EMPTY, PageResidency::plus);
    }

    /** For example {@code orders-0 on node 1: 3 of 25 pages, {00000000000000000000.log=3 of 25 pages}}. */
    @Override
    public String toString() {
        return topicPartition + " on node " + nodeId + ": " + total() + ", " + files;
    }
}
