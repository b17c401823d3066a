package io.tidemark.broker.architecture.violating.log;

import java.io.IOException;
import java.net.Socket;

/** Connects behind the network door's back. */
public class OpensSockets {
    Socket connect() throws IOException {
        return new Socket("localhost", 9092);
    }
}
