package io.tidemark.versions;

import java.util.List;

/**
 * An application with a transactional producer, and a consumer that reads what is committed. Its clients are of any
 * version, so everything that passes here is of Java's own types.
 */
public interface TransactionalApplication extends AutoCloseable {
    /** The version of its clients. */
    String version();

    void init();

    void begin();

    /** Sends a value and waits until it is acknowledged. */
    void send(String topic, int partition, String value);

    void commit();

    void abort();

    /** Joins a group to read a topic. */
    void subscribe(String groupId, String topic);

    /** Which partitions its group has given it; asks for them while it is about it. */
    List<Integer> assigned();

    /** Copies what it has not read of its partitions and commits its offsets, in one transaction; returns how many. */
    int copyTo(String topic);

    /** All that is committed in a partition, from its start to its end. */
    List<String> readCommitted(String topic, int partition);

    @Override
    void close();
}
