package io.tidemark.broker.architecture.violating.record;

import org.junit.jupiter.api.Assertions;

/** Uses a test library. */
public class KnowsOfTests {
    void check(boolean condition) {
        Assertions.assertTrue(condition);
    }
}
