package io.tidemark.broker.architecture.violating.log;

import java.util.Random;

/** Draws what no seed brings back. */
public class DrawsUnseeded {
    int draw() {
        return new Random().nextInt();
    }
}
