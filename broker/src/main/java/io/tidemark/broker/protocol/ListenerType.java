package io.tidemark.broker.protocol;

import java.util.List;

/** What a listener is for, which decides the APIs that it serves. */
public enum ListenerType {
    /** Clients, and other brokers. */
    BROKER,
    /** The nodes of the cluster, for the metadata quorum. */
    CONTROLLER;

    /** The types whose ordinals are the bits set. */
    static List<ListenerType> ofMask(int mask) {
        return switch (mask) {
            case 0 -> List.of();
            case 1 -> List.of(BROKER);
            case 2 -> List.of(CONTROLLER);
            default -> List.of(BROKER, CONTROLLER);
        };
    }
}
