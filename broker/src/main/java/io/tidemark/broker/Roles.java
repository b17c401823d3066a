package io.tidemark.broker;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.InvalidConfigException;
import java.util.List;

/**
 * Who a node is.
 *
 * @param nodeId its id
 * @param isBroker whether it has the broker role
 * @param isController whether it has the controller role
 */
record Roles(int nodeId, boolean isBroker, boolean isController) {
    static Roles of(ConfigValues values) {
        if (!values.isGiven(BrokerConfigs.PROCESS_ROLES)) {
            throw new InvalidConfigException("Config " + BrokerConfigs.PROCESS_ROLES
                    + " is missing; expected broker, controller, or broker,controller");
        }
        List<String> roles = values.listValue(BrokerConfigs.PROCESS_ROLES);
        if (roles.isEmpty() || roles.stream().distinct().count() != roles.size()) {
            throw new InvalidConfigException("Config " + BrokerConfigs.PROCESS_ROLES + " is " + roles
                    + "; expected broker, controller, or broker,controller");
        }
        return new Roles(nodeId(values), roles.contains("broker"), roles.contains("controller"));
    }

    private static int nodeId(ConfigValues values) {
        boolean hasNodeId = values.isGiven(BrokerConfigs.NODE_ID);
        boolean hasBrokerId = values.isGiven(BrokerConfigs.BROKER_ID);
        if (!hasNodeId && !hasBrokerId) {
            throw new InvalidConfigException(
                    "Config " + BrokerConfigs.NODE_ID + " is missing; expected a whole number from 0");
        }
        int nodeId = values.intValue(hasNodeId ? BrokerConfigs.NODE_ID : BrokerConfigs.BROKER_ID);
        if (nodeId < 0) {
            throw new InvalidConfigException(
                    "Config " + BrokerConfigs.BROKER_ID + " is [" + nodeId + "]; expected a whole number from 0");
        }
        if (hasNodeId && hasBrokerId && nodeId != values.intValue(BrokerConfigs.BROKER_ID)) {
            throw new InvalidConfigException("Config " + BrokerConfigs.NODE_ID + " is [" + nodeId + "] and "
                    + BrokerConfigs.BROKER_ID + " is [" + values.intValue(BrokerConfigs.BROKER_ID)
                    + "]; give the same number, or only " + BrokerConfigs.NODE_ID);
        }
        return nodeId;
    }
}
