package io.tidemark.broker;

import io.tidemark.broker.BrokerConfig.ListenerConfig;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.InvalidConfigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the listeners of a node: where they bind, what is advertised, and what each is for.
 *
 * @param listeners every listener to bind
 * @param controllerListenerNames the listeners of controllers, this node's or others'
 * @param interBrokerListenerName the listener that brokers reach one another by
 */
record ListenerConfigs(
        List<ListenerConfig> listeners, List<String> controllerListenerNames, String interBrokerListenerName) {
    private static final String PLAINTEXT = "PLAINTEXT";

    /** Advertised where a listener binds all interfaces and nothing else was said. */
    private static final String DEFAULT_HOST = "localhost";

    static ListenerConfigs of(ConfigValues values, Roles roles) {
        Map<String, HostPort> bound = addresses(values, BrokerConfigs.LISTENERS);
        List<String> controllerNames = controllerListenerNames(values, roles);
        Map<String, HostPort> advertised = values.isGiven(BrokerConfigs.ADVERTISED_LISTENERS)
                ? addresses(values, BrokerConfigs.ADVERTISED_LISTENERS)
                : Map.of();
        checkRoles(bound, controllerNames, roles);
        checkAdvertised(bound, advertised);
        checkProtocols(values, bound, controllerNames);
        List<ListenerConfig> listeners = new ArrayList<>();
        bound.forEach((name, address) -> listeners.add(listener(name, address, advertised.get(name))));
        String interBroker = interBrokerListenerName(values);
        if (roles.isBroker() && (!bound.containsKey(interBroker) || controllerNames.contains(interBroker))) {
            throw new InvalidConfigException("Brokers reach one another by listener [" + interBroker + "], but "
                    + BrokerConfigs.LISTENERS + " has " + bound.keySet() + "; set "
                    + BrokerConfigs.INTER_BROKER_LISTENER_NAME + " to one of them that is not the controllers'");
        }
        return new ListenerConfigs(listeners, controllerNames, interBroker);
    }

    private static Map<String, HostPort> addresses(ConfigValues values, String configName) {
        Map<String, HostPort> addresses = new LinkedHashMap<>();
        for (String text : values.listValue(configName)) {
            int end = text.indexOf("://");
            if (end < 1) {
                throw new InvalidConfigException(
                        "Config " + configName + " has a listener [" + text + "]; expected NAME://host:port");
            }
            String name = text.substring(0, end).toUpperCase(Locale.ROOT);
            if (addresses.put(name, HostPort.parse(configName, text.substring(end + 3))) != null) {
                throw new InvalidConfigException(
                        "Config " + configName + " has two listeners [" + name + "]; give each a name of its own");
            }
        }
        if (addresses.isEmpty()) {
            throw new InvalidConfigException("Config " + configName + " is []; expected NAME://host:port,...");
        }
        return addresses;
    }

    private static List<String> controllerListenerNames(ConfigValues values, Roles roles) {
        String configName = BrokerConfigs.CONTROLLER_LISTENER_NAMES;
        List<String> names = values.isGiven(configName) ? values.listValue(configName) : List.of();
        if (names.isEmpty()) {
            throw new InvalidConfigException("Config " + configName + " is missing; expected the name of the"
                    + " controllers' listener, as in CONTROLLER. Node " + roles.nodeId() + " needs it to "
                    + (roles.isController() ? "be" : "find") + " a controller");
        }
        return names.stream().map(name -> name.toUpperCase(Locale.ROOT)).toList();
    }

    private static void checkRoles(Map<String, HostPort> bound, List<String> controllerNames, Roles roles) {
        boolean bindsController = bound.keySet().stream().anyMatch(controllerNames::contains);
        boolean bindsBroker = bound.keySet().stream().anyMatch(name -> !controllerNames.contains(name));
        if (roles.isController() != bindsController) {
            throw new InvalidConfigException("Node " + roles.nodeId() + " has "
                    + (roles.isController() ? "the" : "no") + " controller role, but "
                    + BrokerConfigs.LISTENERS + " has " + bound.keySet() + " with controller listeners "
                    + controllerNames + "; " + (roles.isController() ? "add one of them" : "leave them out"));
        }
        if (roles.isBroker() != bindsBroker) {
            throw new InvalidConfigException("Node " + roles.nodeId() + " has " + (roles.isBroker() ? "the" : "no")
                    + " broker role, but " + BrokerConfigs.LISTENERS + " has " + bound.keySet() + "; "
                    + (roles.isBroker() ? "add a listener that is not" : "keep only those in") + " "
                    + BrokerConfigs.CONTROLLER_LISTENER_NAMES + " " + controllerNames);
        }
    }

    private static void checkAdvertised(Map<String, HostPort> bound, Map<String, HostPort> advertised) {
        advertised.forEach((name, address) -> {
            if (!bound.containsKey(name)) {
                throw new InvalidConfigException("Config " + BrokerConfigs.ADVERTISED_LISTENERS + " has a listener ["
                        + name + "]; expected one of " + bound.keySet() + " out of " + BrokerConfigs.LISTENERS);
            }
            if (address.host().equals("0.0.0.0")) {
                throw new InvalidConfigException("Config " + BrokerConfigs.ADVERTISED_LISTENERS
                        + " tells clients [0.0.0.0], which nobody can connect to; give a host that they can reach");
            }
        });
    }

    private static void checkProtocols(ConfigValues values, Map<String, HostPort> bound, List<String> controllerNames) {
        String configName = BrokerConfigs.LISTENER_SECURITY_PROTOCOL_MAP;
        Map<String, String> protocols = protocols(values, configName);
        for (String name : bound.keySet()) {
            String protocol = protocols.get(name);
            if (protocol == null && controllerNames.contains(name) && !values.isGiven(configName)) {
                protocol = PLAINTEXT;
            }
            if (protocol == null) {
                throw new InvalidConfigException("Listener [" + name + "] has no security protocol in " + configName
                        + " " + protocols + "; add " + name + ":" + PLAINTEXT);
            }
            if (!protocol.equals(PLAINTEXT)) {
                throw new InvalidConfigException("Listener [" + name + "] asks for security protocol [" + protocol
                        + "]; supported is " + PLAINTEXT);
            }
        }
    }

    private static Map<String, String> protocols(ConfigValues values, String configName) {
        Map<String, String> protocols = new LinkedHashMap<>();
        for (String pair : values.stringValue(configName).split(",", -1)) {
            int colon = pair.indexOf(':');
            if (colon < 0) {
                throw new InvalidConfigException(
                        "Config " + configName + " has an entry [" + pair + "]; expected LISTENER:PROTOCOL");
            }
            protocols.put(
                    pair.substring(0, colon).trim().toUpperCase(Locale.ROOT),
                    pair.substring(colon + 1).trim().toUpperCase(Locale.ROOT));
        }
        return protocols;
    }

    private static ListenerConfig listener(String name, HostPort address, @Nullable HostPort advertised) {
        HostPort told = advertised == null ? address : advertised;
        boolean anyHost = told.host().isEmpty()
                || told.host().equals("0.0.0.0")
                || told.host().equals("::");
        return new ListenerConfig(
                name, address.host(), address.port(), anyHost ? DEFAULT_HOST : told.host(), told.port());
    }

    private static String interBrokerListenerName(ConfigValues values) {
        String name = values.stringOrNull(BrokerConfigs.INTER_BROKER_LISTENER_NAME);
        if (name != null && values.isGiven(BrokerConfigs.SECURITY_INTER_BROKER_PROTOCOL)) {
            throw new InvalidConfigException("Both " + BrokerConfigs.INTER_BROKER_LISTENER_NAME + " [" + name + "] and "
                    + BrokerConfigs.SECURITY_INTER_BROKER_PROTOCOL + " ["
                    + values.text(BrokerConfigs.SECURITY_INTER_BROKER_PROTOCOL) + "] are given; give one of them");
        }
        return (name != null ? name : values.stringValue(BrokerConfigs.SECURITY_INTER_BROKER_PROTOCOL))
                .toUpperCase(Locale.ROOT);
    }
}
