package io.tidemark.broker.architecture.violating.partition;

import java.io.IOException;

/** A pure package that does input and output. */
public class ThrowsIoExceptions {
    void read() throws IOException {
        throw new IOException("no bytes");
    }
}
