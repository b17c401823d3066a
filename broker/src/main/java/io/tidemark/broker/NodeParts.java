package io.tidemark.broker;

import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.quorum.QuorumSettings;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.NodeHost;
import io.tidemark.broker.transport.Peers;
import java.util.random.RandomGenerator;

/**
 * What the roles of a node share.
 *
 * @param config what the node was told
 * @param quorum what the quorum needs of it
 * @param environment what the node stands on
 * @param host the loop and network of this life
 * @param peers makes links to other nodes
 * @param random this life's randomness
 * @param directories the folders, formatted
 */
record NodeParts(
        BrokerConfig config,
        QuorumSettings quorum,
        BrokerEnvironment environment,
        NodeHost host,
        Peers peers,
        RandomGenerator random,
        NodeDirectories directories) {
    Clock clock() {
        return environment.clock();
    }

    Loop loop() {
        return host.loop();
    }

    ConfigValues values() {
        return config.values();
    }
}
