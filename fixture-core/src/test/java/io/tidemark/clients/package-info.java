/** Tests with kafka-clients, and without it on the class path. */
@NullMarked
package io.tidemark.clients;

import org.jspecify.annotations.NullMarked;
