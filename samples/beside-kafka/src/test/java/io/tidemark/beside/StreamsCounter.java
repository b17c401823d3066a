package io.tidemark.beside;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;

/**
 * An application that counts the records of each key, exactly once, and tells each count. It is a process, so that it can
 * be killed as one.
 */
final class StreamsCounter {
    static final String WORDS = "words";
    static final String COUNTS = "counts";

    private StreamsCounter() {}

    /** Counts until it is stopped; the argument is the file of its settings. */
    public static void main(String[] arguments) throws Exception {
        Properties settings = new Properties();
        try (InputStream file = Files.newInputStream(Path.of(arguments[0]))) {
            settings.load(file);
        }
        KafkaStreams streams = new KafkaStreams(topology(), settings);
        streams.setUncaughtExceptionHandler(fault -> StreamThreadExceptionResponse.REPLACE_THREAD);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> streams.close(Duration.ofSeconds(20))));
        streams.start();
    }

    /** Starts it in a process of its own, with its state in a folder of its own. */
    static ServerProcess start(String bootstrapServers, Path folder) throws Exception {
        Files.createDirectories(folder);
        Path settings = Files.write(
                folder.resolve("streams.properties"),
                List.of(
                        "application.id=counter",
                        "bootstrap.servers=" + bootstrapServers,
                        "state.dir=" + folder,
                        "processing.guarantee=exactly_once_v2",
                        // Most of the time a transaction is open, and a part of it is written.
                        "commit.interval.ms=500",
                        "producer.linger.ms=5",
                        "replication.factor=3",
                        "statestore.cache.max.bytes=0",
                        // An id that is killed never comes back: what it left open holds the others for so long.
                        "producer.transaction.timeout.ms=5000",
                        "consumer.session.timeout.ms=3000",
                        "consumer.heartbeat.interval.ms=500",
                        "consumer.auto.offset.reset=earliest"));
        return ServerProcess.begin(StreamsCounter.class.getName(), settings);
    }

    private static Topology topology() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(WORDS, Consumed.with(Serdes.String(), Serdes.String()))
                .groupByKey()
                .count(Materialized.<String, Long>as(Stores.inMemoryKeyValueStore("counts-so-far"))
                        .withKeySerde(Serdes.String())
                        .withValueSerde(Serdes.Long()))
                .toStream()
                .to(COUNTS, Produced.with(Serdes.String(), Serdes.Long()));
        return builder.build();
    }
}
