package io.tidemark.beside;

import io.tidemark.chaos.exactlyonce.Pipeline;
import java.util.Map;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.util.backoff.FixedBackOff;

/** A listener of Spring's that copies a topic, each record in a transaction of the listener's container. */
final class SpringCopier implements AutoCloseable {
    private static final long BACKOFF_MS = 50;

    private final DefaultKafkaProducerFactory<String, String> producers;
    private final KafkaMessageListenerContainer<String, String> container;

    SpringCopier(Pipeline.Instance instance) {
        producers = new DefaultKafkaProducerFactory<>(
                Map.of("bootstrap.servers", instance.bootstrapServers(), "linger.ms", "0"),
                new StringSerializer(),
                new StringSerializer());
        producers.setTransactionIdPrefix(instance.group() + "-" + instance.number() + "-");
        KafkaTemplate<String, String> template = new KafkaTemplate<>(producers);
        ContainerProperties properties = new ContainerProperties(instance.input());
        properties.setGroupId(instance.group());
        properties.setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers));
        properties.setMessageListener((MessageListener<String, String>)
                record -> template.send(instance.output(), record.key(), record.value()));
        container = new KafkaMessageListenerContainer<>(
                new DefaultKafkaConsumerFactory<>(
                        Map.of(
                                "bootstrap.servers", instance.bootstrapServers(),
                                "isolation.level", "read_committed",
                                "enable.auto.commit", "false",
                                "auto.offset.reset", "earliest",
                                "session.timeout.ms", "3000",
                                "heartbeat.interval.ms", "200"),
                        new StringDeserializer(),
                        new StringDeserializer()),
                properties);
        // By default a record is given up after ten attempts, which is a loss.
        container.setAfterRollbackProcessor(
                new DefaultAfterRollbackProcessor<>(new FixedBackOff(BACKOFF_MS, FixedBackOff.UNLIMITED_ATTEMPTS)));
        container.start();
    }

    @Override
    public void close() {
        container.stop();
        producers.destroy();
    }
}
