package io.tidemark.broker;

import io.tidemark.broker.BrokerConfig.Voter;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.InvalidConfigException;
import java.util.ArrayList;
import java.util.List;

/** Reads who votes in the metadata quorum. */
final class VoterConfigs {
    private static final String VOTERS = BrokerConfigs.CONTROLLER_QUORUM_VOTERS;

    private VoterConfigs() {}

    static List<Voter> of(ConfigValues values, Roles roles) {
        List<Voter> voters = new ArrayList<>();
        for (String text : values.listValue(VOTERS)) {
            voters.add(voter(text));
        }
        if (voters.isEmpty()) {
            return bootstrapServers(values);
        }
        boolean isVoter = voters.stream().anyMatch(voter -> voter.nodeId() == roles.nodeId());
        if (roles.isController() && !isVoter) {
            throw new InvalidConfigException("Node " + roles.nodeId() + " has the controller role, but " + VOTERS
                    + " is " + values.listValue(VOTERS) + "; add " + roles.nodeId() + "@host:port to it");
        }
        if (!roles.isController() && isVoter) {
            throw new InvalidConfigException("Node " + roles.nodeId() + " has no controller role, but " + VOTERS
                    + " is " + values.listValue(VOTERS) + "; give the broker another node.id");
        }
        return voters;
    }

    private static List<Voter> bootstrapServers(ConfigValues values) {
        String name = BrokerConfigs.CONTROLLER_QUORUM_BOOTSTRAP_SERVERS;
        List<Voter> servers = new ArrayList<>();
        for (String text : values.listValue(name)) {
            HostPort address = HostPort.parse(name, text);
            servers.add(new Voter(-1, address.host(), address.port()));
        }
        if (servers.isEmpty()) {
            throw new InvalidConfigException(
                    "The controllers are not known; set " + VOTERS + "=id@host:port,... or " + name + "=host:port,...");
        }
        return servers;
    }

    private static Voter voter(String text) {
        int at = text.indexOf('@');
        if (at < 1 || !text.substring(0, at).chars().allMatch(Character::isDigit)) {
            throw new InvalidConfigException("Config " + VOTERS + " has a voter [" + text + "]; expected id@host:port");
        }
        HostPort address = HostPort.parse(VOTERS, text.substring(at + 1));
        return new Voter(Integer.parseInt(text.substring(0, at)), address.host(), address.port());
    }
}
