package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigRule.oneOf;
import static io.tidemark.broker.config.ConfigType.CLASS;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LIST;
import static io.tidemark.broker.config.ConfigType.LONG;
import static io.tidemark.broker.config.ConfigType.STRING;

/** The node itself: its identity, its listeners and sockets, its threads, metrics and quotas: names, types, defaults and rules as in Apache Kafka 4.4. */
final class NodeKeys {
    private NodeKeys() {}

    static void addTo(ConfigKeys keys) {
        keys.add("advertised.listeners", LIST, null);
        keys.add("alter.config.policy.class.name", CLASS, null);
        keys.add("background.threads", INT, "10", atLeast(1));
        keys.add("client.quota.callback.class", CLASS, null);
        keys.add("config.providers", LIST, "");
        keys.add("connections.max.idle.ms", LONG, "600000");
        keys.add("inter.broker.listener.name", STRING, null);
        keys.add("kafka.metrics.polling.interval.secs", INT, "10", atLeast(1));
        keys.add("kafka.metrics.reporters", LIST, "");
        keys.add(
                "listener.security.protocol.map",
                STRING,
                "SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT");
        keys.add("listeners", LIST, "PLAINTEXT://:9092");
        keys.add("max.connection.creation.rate", INT, "2147483647", atLeast(0));
        keys.add("max.connections", INT, "2147483647", atLeast(0));
        keys.add("max.connections.per.ip", INT, "2147483647", atLeast(0));
        keys.add("max.connections.per.ip.overrides", STRING, "");
        keys.add("metric.reporters", LIST, "org.apache.kafka.common.metrics.JmxReporter");
        keys.add("metrics.num.samples", INT, "2", atLeast(1));
        keys.add("metrics.recording.level", STRING, "INFO");
        keys.add("metrics.sample.window.ms", LONG, "30000", atLeast(1));
        keys.add("node.id", INT, null, atLeast(0));
        keys.add("num.io.threads", INT, "8", atLeast(1));
        keys.add("num.network.threads", INT, "3", atLeast(1));
        keys.add("process.roles", LIST, null, oneOf("broker", "controller"));
        keys.add("queued.max.request.bytes", LONG, "-1");
        keys.add("queued.max.requests", INT, "500", atLeast(1));
        keys.add("quota.window.num", INT, "11", atLeast(1));
        keys.add("quota.window.size.seconds", INT, "1", atLeast(1));
        keys.add("request.timeout.ms", INT, "30000");
        keys.add(
                "security.inter.broker.protocol",
                STRING,
                "PLAINTEXT",
                oneOf("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"));
        keys.add("server.max.startup.time.ms", LONG, "9223372036854775807", atLeast(0));
        keys.add("socket.connection.setup.timeout.max.ms", LONG, "30000");
        keys.add("socket.connection.setup.timeout.ms", LONG, "10000");
        keys.add("socket.listen.backlog.size", INT, "50", atLeast(1));
        keys.add("socket.receive.buffer.bytes", INT, "102400");
        keys.add("socket.request.max.bytes", INT, "104857600", atLeast(1));
        keys.add("socket.send.buffer.bytes", INT, "102400");
        keys.add("telemetry.max.bytes", INT, "1048576", atLeast(1));
    }
}
