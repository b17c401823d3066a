/** Ours beside Apache Kafka itself: its tools read our files, and its test kit runs the same benchmark. */
@NullMarked
package io.tidemark.beside;

import org.jspecify.annotations.NullMarked;
