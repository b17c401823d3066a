package io.tidemark.broker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.network.PortReservation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MainIT {
    private static final int SIGTERM_EXIT = 143;

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void end() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor(10, SECONDS);
        }
    }

    @Test
    void servesANodeInAFolderThatItFormatsAndStopsInGoodOrderOnSigterm() throws Exception {
        Path properties = nodeProperties("");

        Process process = start(properties.toString());

        assertThat(firstLine(process)).startsWith("Tidemark node 1 serves PLAINTEXT://localhost:");
        process.destroy();
        assertThat(process.waitFor(30, SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(SIGTERM_EXIT);
        assertThat(folder.resolve("data/.kafka_cleanshutdown")).exists();
        assertThat(Files.readString(folder.resolve("data/meta.properties")))
                .contains("version=1", "node.id=1", "cluster.id=", "directory.id=");
    }

    @Test
    void keepsTheClustersIdOverItsLives() throws Exception {
        Path properties = nodeProperties("cluster.id=9f3JdCGVRsm0JsRSe-s-jQ");
        Process first = start(properties.toString());
        String bootstrap = address(firstLine(first));
        assertThat(clusterId(bootstrap)).isEqualTo("9f3JdCGVRsm0JsRSe-s-jQ");
        first.destroyForcibly().waitFor(10, SECONDS);

        Process second = start(nodeProperties("").toString());

        assertThat(clusterId(address(firstLine(second)))).isEqualTo("9f3JdCGVRsm0JsRSe-s-jQ");
    }

    @Test
    void servesAWholeClusterAndLeavesNoFolderBehind() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));

        Process process = start("-Djava.io.tmpdir=" + temporary, "--brokers", "3");

        String line = firstLine(process);

        assertThat(line).startsWith("Tidemark cluster of 3 brokers serves 127.0.0.1:");
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address(line)))) {
            assertThat(admin.describeCluster().nodes().get(20, SECONDS)).hasSize(3);
        }
        process.destroy();
        assertThat(process.waitFor(30, SECONDS)).isTrue();
        try (var left = Files.list(temporary)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void saysWhatIsWrongWithAConfiguration() throws Exception {
        Process process = start(nodeProperties("num.partitions=many").toString());

        assertThat(errors(process)).contains("Config num.partitions is [many]; expected a whole number");
        assertThat(process.exitValue()).isEqualTo(2);
    }

    @Test
    void saysHowItIsUsed() throws Exception {
        Process process = start("--port", "9092");

        assertThat(errors(process)).contains("Usage: Main SERVER.PROPERTIES | Main --brokers N [--port P]");
        assertThat(process.exitValue()).isEqualTo(2);
    }

    private Path nodeProperties(String more) throws IOException {
        int port;
        try (PortReservation reservation = PortReservation.reserve("127.0.0.1", 0)) {
            port = reservation.port();
        }
        return Files.writeString(
                folder.resolve("server.properties"),
                String.join(
                        "\n",
                        "node.id=1",
                        "process.roles=broker,controller",
                        "listeners=PLAINTEXT://localhost:0,CONTROLLER://localhost:" + port,
                        "controller.listener.names=CONTROLLER",
                        "controller.quorum.voters=1@localhost:" + port,
                        // A node that was killed may not come again before its session has run out.
                        "broker.heartbeat.interval.ms=200",
                        "broker.session.timeout.ms=1000",
                        "log.dirs=" + folder.resolve("data"),
                        more));
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
        List<String> rest = new ArrayList<>(List.of(arguments));
        if (rest.get(0).startsWith("-D")) {
            command.add(rest.remove(0));
        }
        command.add(Main.class.getName());
        command.addAll(rest);
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile())
                .start();
        processes.add(process);
        return process;
    }

    private static String firstLine(Process process) throws IOException {
        return String.valueOf(
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine());
    }

    private String errors(Process process) throws Exception {
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return Files.readString(folder.resolve("errors"));
    }

    /** The first address that a node or a cluster printed. */
    private static String address(String line) {
        String last = line.substring(line.indexOf(" serves ") + " serves ".length());
        return last.replace("PLAINTEXT://", "").split(",", -1)[0].trim();
    }

    private static String clusterId(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            return admin.describeCluster().clusterId().get(20, SECONDS);
        }
    }
}
