package io.tidemark.clients;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * Spares a client of the fixture what a test does not read: its MBeans, which it would register at its start and remove at
 * its end one by one, and the telemetry that it would gather for the broker (KIP-714). Its {@code metrics()} stay.
 */
final class ClientMetrics {
    /** In the names that the kafka-clients on the class path know. */
    static final Map<String, Object> UNREAD = unread(AdminClientConfig.configNames());

    private ClientMetrics() {}

    private static Map<String, Object> unread(Set<String> known) {
        Map<String, Object> settings = new HashMap<>();
        // From 3.7 on.
        if (known.contains("enable.metrics.push")) {
            settings.put("enable.metrics.push", "false");
        }
        // From 3.4 to 3.9 MBeans have a switch of their own (KIP-830); from 4.0 on they are one reporter of the list.
        if (known.contains("auto.include.jmx.reporter")) {
            settings.put("auto.include.jmx.reporter", "false");
        } else {
            settings.put("metric.reporters", List.of());
        }
        return Map.copyOf(settings);
    }
}
