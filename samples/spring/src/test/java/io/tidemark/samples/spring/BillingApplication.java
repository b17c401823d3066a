package io.tidemark.samples.spring;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;

/** Writes a bill for each order, in one transaction with the order's offset. */
@SpringBootApplication
class BillingApplication {
    private final KafkaTemplate<String, String> kafka;

    BillingApplication(KafkaTemplate<String, String> kafka) {
        this.kafka = kafka;
    }

    @KafkaListener(topics = "orders", groupId = "billing")
    void bill(ConsumerRecord<String, String> order) {
        kafka.send("bills", order.key(), "bill for " + order.value());
    }
}
