package io.tidemark.broker.transaction.markers;

import io.tidemark.broker.types.TopicPartition;

/** One marker that is to be written: of a transaction, to a partition. */
record Marker(EndingTransaction transaction, TopicPartition partition) {}
