package io.tidemark;

import io.tidemark.broker.config.BrokerConfigs;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/**
 * The listeners of one node, each with an address of its own: the default for clients and for the other brokers, the
 * controllers' where it is one, and those that were asked for by name.
 *
 * @param byName the addresses, host and port, by the listeners' names in upper case, without the controllers'
 */
record ClusterListeners(SortedMap<String, String> byName) {
    /** Where clients and the other brokers come in. */
    static final String DEFAULT = "PLAINTEXT";

    static final String CONTROLLER = "CONTROLLER";
    static final String HOST = "127.0.0.1";
    private static final Pattern LEGAL_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");

    /** The name in upper case, as Kafka takes it; refused where it cannot be one more listener's. */
    static String checked(String name, List<String> others) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (name.contains(":")) {
            throw new IllegalArgumentException("Listener [" + name + "] is more than a name: its address is the"
                    + " fixture's own to give, and its security protocol is PLAINTEXT; write the name alone, for example"
                    + " [EXTERNAL]");
        }
        if (!LEGAL_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Listener [" + name + "] has no legal name: begin with a letter, and go on"
                            + " with letters, digits, dot, underscore and dash, for example [EXTERNAL]");
        }
        if (upper.equals(DEFAULT) || upper.equals(CONTROLLER)) {
            throw new IllegalArgumentException("Listener [" + name + "] is there anyway: "
                    + (upper.equals(DEFAULT) ? "every broker has it" : "it is the controllers'")
                    + "; give the one that you need another name, for example [EXTERNAL]");
        }
        if (others.contains(upper)) {
            throw new IllegalArgumentException(
                    "Listener [" + upper + "] is asked for twice: drop one, or give it another name");
        }
        return upper;
    }

    /** Those of a broker, each at a port of its own. */
    static ClusterListeners ofBroker(List<String> names, IntSupplier ports) {
        SortedMap<String, String> byName = new TreeMap<>();
        byName.put(DEFAULT, HOST + ":" + ports.getAsInt());
        names.forEach(name -> byName.put(name, HOST + ":" + ports.getAsInt()));
        return new ClusterListeners(byName);
    }

    /** All as Kafka writes them, {@code NAME://host:port} with commas. */
    String advertised() {
        StringJoiner all = new StringJoiner(",");
        byName.forEach((name, address) -> all.add(name + "://" + address));
        return all.toString();
    }

    static String controller(int port) {
        return CONTROLLER + "://" + HOST + ":" + port;
    }

    /** All speak plaintext. */
    static void addProtocols(List<String> names, Map<String, String> properties) {
        List<String> all = new ArrayList<>(names);
        all.add(DEFAULT);
        all.add(CONTROLLER);
        StringJoiner protocols = new StringJoiner(",");
        all.forEach(name -> protocols.add(name + ":PLAINTEXT"));
        properties.put(BrokerConfigs.LISTENER_SECURITY_PROTOCOL_MAP, protocols.toString());
    }
}
