package io.tidemark.beside;

import io.tidemark.Cluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.Exit;

/** Apache Kafka's kafka-transactions on a cluster of ours. The tool has the cluster's time, as in operation. */
final class TransactionsTool {
    private static final String TOOL = "org.apache.kafka.tools.TransactionsCommand";

    private final Cluster cluster;

    TransactionsTool(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Runs it, and gives the rows of the table that it prints, each by the names of its columns. */
    List<Map<String, String>> run(String... arguments) throws Exception {
        List<String> lines = print(arguments);
        List<Map<String, String>> rows = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            String[] names = lines.get(0).split("\t");
            String[] values = lines.get(i).split("\t");
            Map<String, String> row = new LinkedHashMap<>();
            for (int column = 0; column < names.length; column++) {
                row.put(names[column].strip(), column < values.length ? values[column].strip() : "");
            }
            rows.add(row);
        }
        return rows;
    }

    private List<String> print(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("--bootstrap-server", cluster.bootstrapServers()));
        all.addAll(List.of(arguments));
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Function<Object, Admin> admin = given -> Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
        Method execute = Class.forName(TOOL)
                .getDeclaredMethod("execute", String[].class, Function.class, PrintStream.class, Time.class);
        execute.setAccessible(true);
        Exit.setExitProcedure((status, message) -> {
            throw new Ended(status, message);
        });
        try (PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8)) {
            execute.invoke(null, all.toArray(new String[0]), admin, out, new TimeOfCluster(cluster));
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof Ended ended) || ended.status != 0) {
                throw new IllegalStateException("kafka-transactions " + all + " failed", e.getCause());
            }
        } finally {
            Exit.resetExitProcedure();
        }
        return output.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** In place of the end of the JVM. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int status;

        Ended(int status, String message) {
            super("exit status " + status + ": " + message);
            this.status = status;
        }
    }

    private record TimeOfCluster(Cluster cluster) implements Time {
        @Override
        public long milliseconds() {
            return cluster.clock().now().toEpochMilli();
        }

        @Override
        public long nanoseconds() {
            return SYSTEM.nanoseconds();
        }

        @Override
        public void sleep(long ms) {
            SYSTEM.sleep(ms);
        }
    }
}
