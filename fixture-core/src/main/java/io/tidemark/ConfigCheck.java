package io.tidemark;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigDefinition;
import io.tidemark.broker.config.ConfigKey;
import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.config.TopicConfigs;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Refuses wrong configs before anything is started: a mistyped name must not pass in silence. */
final class ConfigCheck {
    /** What the fixture itself decides. */
    private static final Set<String> RESERVED = new TreeSet<>(Set.of(
            BrokerConfigs.NODE_ID,
            BrokerConfigs.BROKER_ID,
            BrokerConfigs.PROCESS_ROLES,
            BrokerConfigs.LISTENERS,
            BrokerConfigs.ADVERTISED_LISTENERS,
            BrokerConfigs.LISTENER_SECURITY_PROTOCOL_MAP,
            BrokerConfigs.INTER_BROKER_LISTENER_NAME,
            BrokerConfigs.CONTROLLER_LISTENER_NAMES,
            BrokerConfigs.CONTROLLER_QUORUM_VOTERS,
            BrokerConfigs.CONTROLLER_QUORUM_BOOTSTRAP_SERVERS,
            BrokerConfigs.LOG_DIRS,
            BrokerConfigs.LOG_DIR,
            BrokerConfigs.METADATA_LOG_DIR,
            BrokerConfigs.CLUSTER_ID));

    private ConfigCheck() {}

    static void broker(String name, String value) {
        if (RESERVED.contains(name)) {
            throw new IllegalArgumentException("Config [" + name
                    + "] is the fixture's own to set; say what you need with brokers(), controllers(), combined(),"
                    + " listeners() or directory()");
        }
        check(BrokerConfigs.DEFINITION, "a broker config of Apache Kafka", "", name, value);
    }

    static void topic(TopicSpec topic) {
        String where = topic.name() == null ? "" : " of topic [" + topic.name() + "]";
        for (Map.Entry<String, String> entry : topic.config().entrySet()) {
            check(TopicConfigs.DEFINITION, "a topic config of Apache Kafka", where, entry.getKey(), entry.getValue());
        }
    }

    private static void check(ConfigDefinition known, String kind, String where, String name, String value) {
        if (known.key(name) == null) {
            String nearest = nearest(known, name);
            throw new IllegalArgumentException("Config [" + name + "]" + where + " is not " + kind
                    + (nearest == null
                            ? "; look its name up in Kafka's documentation"
                            : "; did you mean [" + nearest + "]?"));
        }
        try {
            known.parse(Map.of(name, value));
        } catch (InvalidConfigException e) {
            throw new IllegalArgumentException(e.getMessage() + (where.isEmpty() ? "" : " (" + where.strip() + ")"), e);
        }
    }

    private static @Nullable String nearest(ConfigDefinition known, String name) {
        String wanted = name.toLowerCase(Locale.ROOT).replace('_', '.');
        String nearest = null;
        int least = Math.max(2, wanted.length() / 4);
        for (ConfigKey key : known.keys()) {
            int distance = distance(wanted, key.name());
            if (distance <= least && (nearest == null || distance < least)) {
                least = distance;
                nearest = key.name();
            }
        }
        return nearest;
    }

    /** How many letters to insert, drop or change to get from one name to the other. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(diagonal, row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
