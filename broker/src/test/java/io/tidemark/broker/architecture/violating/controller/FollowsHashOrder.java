package io.tidemark.broker.architecture.violating.controller;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A pure package whose effects come in an order that changes from run to run. */
public class FollowsHashOrder {
    final Map<Object, Integer> byIdentity = new HashMap<>();

    Set<String> salted() {
        return Set.of("a", "b", "c");
    }
}
