/** Ours beside Apache Kafka itself: its broker and its tools on our files, ours on its, and its test kit in the same benchmark. */
@NullMarked
package io.tidemark.beside;

import org.jspecify.annotations.NullMarked;
