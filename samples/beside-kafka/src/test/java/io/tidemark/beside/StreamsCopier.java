package io.tidemark.beside;

import io.tidemark.chaos.exactlyonce.Pipeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/** A topology of Kafka Streams that copies a topic with exactly_once_v2. */
final class StreamsCopier implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final KafkaStreams streams;

    /** @param state a folder of its own */
    StreamsCopier(Pipeline.Instance instance, Path state) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(instance.input(), Consumed.with(Serdes.String(), Serdes.String()))
                .to(instance.output(), Produced.with(Serdes.String(), Serdes.String()));
        Properties settings = new Properties();
        settings.put("application.id", instance.group());
        settings.put("bootstrap.servers", instance.bootstrapServers());
        settings.put("state.dir", state.toString());
        settings.put("processing.guarantee", "exactly_once_v2");
        settings.put("commit.interval.ms", "50");
        settings.put("producer.linger.ms", "0");
        settings.put("producer.transaction.timeout.ms", "5000");
        settings.put("consumer.session.timeout.ms", "3000");
        settings.put("consumer.heartbeat.interval.ms", "200");
        settings.put("consumer.auto.offset.reset", "earliest");
        streams = new KafkaStreams(builder.build(), settings);
        streams.setUncaughtExceptionHandler(fault -> StreamThreadExceptionResponse.REPLACE_THREAD);
        streams.start();
    }

    @Override
    public void close() {
        if (!streams.close(PATIENCE)) {
            throw new IllegalStateException("Kafka Streams did not end within " + PATIENCE);
        }
    }
}
