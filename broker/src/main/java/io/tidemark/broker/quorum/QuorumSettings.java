package io.tidemark.broker.quorum;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.TopicConfigs;
import io.tidemark.broker.log.LogConfig;
import io.tidemark.broker.raft.RaftSettings;
import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.raft.VoterSet;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a node of the quorum, voter or observer, was told.
 *
 * @param nodeId this node
 * @param clusterId the cluster
 * @param directoryId of the directory with the metadata log
 * @param voters the voters, in the order given
 * @param values the node's configs
 */
public record QuorumSettings(
        int nodeId, String clusterId, Uuid directoryId, List<QuorumVoter> voters, ConfigValues values) {
    private static final short PLAINTEXT = 0;

    public QuorumSettings {
        voters = List.copyOf(voters);
    }

    SortedSet<Integer> voterIds() {
        SortedSet<Integer> ids = new TreeSet<>();
        voters.stream().filter(voter -> voter.nodeId() >= 0).forEach(voter -> ids.add(voter.nodeId()));
        return ids;
    }

    /** Those of the voters whose ids are known. */
    VoterSet voterSet() {
        String listener = values.isGiven(BrokerConfigs.CONTROLLER_LISTENER_NAMES)
                ? values.listValue(BrokerConfigs.CONTROLLER_LISTENER_NAMES).get(0)
                : "CONTROLLER";
        List<Voter> known = new ArrayList<>();
        for (QuorumVoter voter : voters) {
            if (voter.nodeId() >= 0) {
                Endpoint endpoint = new Endpoint(listener, voter.host(), voter.port(), PLAINTEXT);
                known.add(new Voter(voter.nodeId(), Uuid.ZERO, List.of(endpoint), (short) 0, (short) 1));
            }
        }
        return VoterSet.of(known);
    }

    RaftSettings raft() {
        return new RaftSettings(
                nodeId,
                directoryId,
                values.intValue(BrokerConfigs.CONTROLLER_QUORUM_ELECTION_TIMEOUT_MS),
                values.intValue(BrokerConfigs.CONTROLLER_QUORUM_ELECTION_BACKOFF_MAX_MS),
                fetchTimeoutMs(),
                retryBackoffMs());
    }

    long fetchTimeoutMs() {
        return values.intValue(BrokerConfigs.CONTROLLER_QUORUM_FETCH_TIMEOUT_MS);
    }

    long retryBackoffMs() {
        return values.longValue(BrokerConfigs.CONTROLLER_QUORUM_RETRY_BACKOFF_MS);
    }

    long requestTimeoutMs() {
        return values.longValue(BrokerConfigs.CONTROLLER_QUORUM_REQUEST_TIMEOUT_MS);
    }

    int fetchMaxBytes() {
        return values.intValue(BrokerConfigs.CONTROLLER_QUORUM_FETCH_MAX_BYTES);
    }

    /** Nothing of the metadata log goes by its size or age: it is cut where a snapshot stands for what was below. */
    LogConfig logConfig() {
        Map<String, String> configs = new TreeMap<>();
        configs.put("segment.bytes", Long.toString(values.longValue(BrokerConfigs.METADATA_LOG_SEGMENT_BYTES)));
        if (values.isGiven(BrokerConfigs.INTERNAL_METADATA_LOG_SEGMENT_BYTES)) {
            configs.put(
                    TopicConfigs.INTERNAL_SEGMENT_BYTES,
                    Long.toString(values.longValue(BrokerConfigs.INTERNAL_METADATA_LOG_SEGMENT_BYTES)));
        }
        configs.put("segment.ms", Long.toString(values.longValue(BrokerConfigs.METADATA_LOG_SEGMENT_MS)));
        configs.put("segment.index.bytes", Long.toString(1024 * 1024));
        configs.put("retention.bytes", "-1");
        configs.put("retention.ms", "-1");
        configs.put("max.message.bytes", Integer.toString(Integer.MAX_VALUE));
        // A deviation: Kafka makes them with the log. In a test's cluster they would be an eighth of all files, for a
        // log that hardly ever grows to an entry.
        return LogConfig.fromTopicConfigs(configs::get).withLateIndexes();
    }
}
