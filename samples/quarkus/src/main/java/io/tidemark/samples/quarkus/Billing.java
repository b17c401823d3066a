package io.tidemark.samples.quarkus;

import io.smallrye.reactive.messaging.kafka.Record;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Outgoing;

/** Writes a bill for each order. */
@ApplicationScoped
public class Billing {
    @Incoming("orders")
    @Outgoing("bills")
    Record<String, String> bill(Record<String, String> order) {
        return Record.of(order.key(), "bill for " + order.value());
    }
}
