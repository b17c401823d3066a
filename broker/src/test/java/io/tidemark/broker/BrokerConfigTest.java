package io.tidemark.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.BrokerConfig.ListenerConfig;
import io.tidemark.broker.BrokerConfig.UnknownNames;
import io.tidemark.broker.BrokerConfig.Voter;
import io.tidemark.broker.config.InvalidConfigException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerConfigTest {
    private final Map<String, String> properties = new HashMap<>(Map.of(
            "node.id", "1",
            "process.roles", "broker",
            "listeners", "PLAINTEXT://127.0.0.1:9092",
            "controller.listener.names", "CONTROLLER",
            "controller.quorum.voters", "1001@localhost:9093",
            "log.dirs", "/tmp/one,/tmp/two"));

    @Test
    void readsABroker() {
        BrokerConfig config = read();

        assertThat(config.nodeId()).isEqualTo(1);
        assertThat(config.isBroker()).isTrue();
        assertThat(config.isController()).isFalse();
        assertThat(config.listeners())
                .containsExactly(new ListenerConfig("PLAINTEXT", "127.0.0.1", 9092, "127.0.0.1", 9092));
        assertThat(config.interBrokerListenerName()).isEqualTo("PLAINTEXT");
        assertThat(config.voters()).containsExactly(new Voter(1001, "localhost", 9093));
        assertThat(config.logDirs()).containsExactly(Path.of("/tmp/one"), Path.of("/tmp/two"));
        assertThat(config.metadataLogDir()).isEqualTo(Path.of("/tmp/one"));
        assertThat(config.clusterId()).isNull();
    }

    @Test
    void readsTheServerPropertiesThatApacheKafkaComesWith() {
        properties.putAll(Map.of(
                "process.roles", "broker,controller",
                "listeners", "PLAINTEXT://:9092,CONTROLLER://:9093",
                "inter.broker.listener.name", "PLAINTEXT",
                "advertised.listeners", "PLAINTEXT://broker.example:9092,CONTROLLER://broker.example:9093",
                "listener.security.protocol.map",
                        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT",
                "controller.quorum.bootstrap.servers", "localhost:9093",
                "num.network.threads", "3",
                "num.io.threads", "8",
                "socket.send.buffer.bytes", "102400"));
        properties.remove("controller.quorum.voters");

        BrokerConfig config = read();

        assertThat(config.isController()).isTrue();
        assertThat(config.listeners())
                .containsExactly(
                        new ListenerConfig("PLAINTEXT", "", 9092, "broker.example", 9092),
                        new ListenerConfig("CONTROLLER", "", 9093, "broker.example", 9093));
        assertThat(config.voters()).containsExactly(new Voter(-1, "localhost", 9093));
        assertThat(config.unknownNames()).isEmpty();
    }

    @Test
    void advertisesLocalhostWhereAListenerBindsEveryInterface() {
        properties.put("listeners", "PLAINTEXT://0.0.0.0:9092,V6://[::]:9095");
        properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,V6:PLAINTEXT");

        assertThat(read().listeners())
                .containsExactly(
                        new ListenerConfig("PLAINTEXT", "0.0.0.0", 9092, "localhost", 9092),
                        new ListenerConfig("V6", "::", 9095, "localhost", 9095));
    }

    @Test
    void takesControllerListenersForPlaintextWhereNothingElseIsSaid() {
        properties.putAll(Map.of("process.roles", "controller", "listeners", "CONTROLLER://localhost:9093"));
        properties.put("controller.quorum.voters", "1@localhost:9093");

        assertThat(read().isController()).isTrue();
    }

    @Test
    void keepsUnknownNamesForAWarningOrRejectsThem() {
        properties.put("nmu.partitions", "3");

        assertThat(read().unknownNames()).containsExactly("nmu.partitions");
        assertThatThrownBy(() -> BrokerConfig.of(properties, UnknownNames.REJECT))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("[nmu.partitions]");
    }

    @Test
    void namesTheOneProtocolThatIsSupported() {
        properties.put("listeners", "SSL://localhost:9092");
        properties.put("inter.broker.listener.name", "SSL");

        assertRefused("Listener [SSL] asks for security protocol [SSL]; supported is PLAINTEXT");
    }

    @Test
    void wantsToKnowTheControllers() {
        properties.remove("controller.quorum.voters");

        assertRefused("controller.quorum.voters=id@host:port");
    }

    @Test
    void wantsAControllerAmongItsVoters() {
        properties.putAll(Map.of("process.roles", "controller", "listeners", "CONTROLLER://localhost:9093"));

        assertRefused("add 1@host:port to it");
    }

    @Test
    void wantsABrokerApartFromTheVoters() {
        properties.put("controller.quorum.voters", "1@localhost:9093");

        assertRefused("give the broker another node.id");
    }

    @Test
    void wantsARole() {
        properties.remove("process.roles");

        assertRefused("process.roles is missing; expected broker, controller, or broker,controller");
    }

    @Test
    void wantsANodeId() {
        properties.remove("node.id");

        assertRefused("node.id is missing; expected a whole number from 0");
    }

    @Test
    void bracketsAListenerThatIsNone() {
        properties.put("listeners", "localhost:9092");

        assertRefused("listener [localhost:9092]; expected NAME://host:port");
    }

    @Test
    void bracketsAnAddressThatIsNone() {
        properties.put("listeners", "PLAINTEXT://localhost:66000");

        assertRefused("[localhost:66000]; expected host:port with a port from 0 to 65535");
    }

    @Test
    void bracketsAVoterThatIsNone() {
        properties.put("controller.quorum.voters", "localhost:9093");

        assertRefused("voter [localhost:9093]; expected id@host:port");
    }

    @Test
    void refusesToAdvertiseAListenerThatIsNotThere() {
        properties.put("advertised.listeners", "OTHER://localhost:9092");

        assertRefused("listener [OTHER]; expected one of [PLAINTEXT]");
    }

    @Test
    void refusesAControllersListenerOnABroker() {
        properties.put("listeners", "PLAINTEXT://:9092,CONTROLLER://:9093");

        assertRefused("no controller role");
    }

    private BrokerConfig read() {
        return BrokerConfig.of(properties, UnknownNames.TOLERATE);
    }

    private void assertRefused(String message) {
        assertThatThrownBy(this::read)
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(message);
    }
}
