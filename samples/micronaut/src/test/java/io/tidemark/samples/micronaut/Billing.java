package io.tidemark.samples.micronaut;

import io.micronaut.configuration.kafka.annotation.KafkaKey;
import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.configuration.kafka.annotation.OffsetReset;
import io.micronaut.configuration.kafka.annotation.Topic;
import io.micronaut.messaging.annotation.SendTo;

/** Writes a bill for each order. */
@KafkaListener(groupId = "billing", offsetReset = OffsetReset.EARLIEST)
class Billing {
    @Topic("orders")
    @SendTo("bills")
    String bill(@KafkaKey String key, String order) {
        return "bill for " + order;
    }
}
