package io.tidemark.chaos.history;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Notes what a consumer polls, and each time that it goes on elsewhere. */
final class RecordedConsumer extends Recorded {
    private final HistoryRecorder recorder;
    private final String process;
    private final String lane;
    private final boolean committedOnly;

    private RecordedConsumer(
            HistoryRecorder recorder, String process, String lane, boolean committedOnly, Consumer<?, ?> consumer) {
        super(consumer);
        this.recorder = recorder;
        this.process = process;
        this.lane = lane;
        this.committedOnly = committedOnly;
    }

    static <K, V> Consumer<K, V> of(
            HistoryRecorder recorder, String process, String lane, boolean committedOnly, Consumer<K, V> consumer) {
        return as(Consumer.class, new RecordedConsumer(recorder, process, lane, committedOnly, consumer));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "poll" -> {
                ConsumerRecords<?, ?> records = (ConsumerRecords<?, ?>) call(method, arguments);
                recorder.polled(process, lane, committedOnly, records);
                return records;
            }
            case "subscribe" -> {
                return subscribe(method, arguments);
            }
            case "assign", "seekToBeginning", "seekToEnd" -> {
                Object result = call(method, arguments);
                recorder.positioned(lane, partitions(arguments[0]));
                return result;
            }
            case "seek" -> {
                Object result = call(method, arguments);
                long offset =
                        arguments[1] instanceof OffsetAndMetadata metadata ? metadata.offset() : (Long) arguments[1];
                recorder.positioned(lane, arguments[0].toString(), offset);
                return result;
            }
            default -> {
                return isOfObject(method) && method.getName().equals("toString") ? toString() : call(method, arguments);
            }
        }
    }

    private @Nullable Object subscribe(Method method, Object[] arguments) throws Throwable {
        Method withListener =
                Consumer.class.getMethod("subscribe", method.getParameterTypes()[0], ConsumerRebalanceListener.class);
        ConsumerRebalanceListener listener = arguments.length == 1 ? null : (ConsumerRebalanceListener) arguments[1];
        return call(withListener, new Object[] {arguments[0], new Noting(listener)});
    }

    private static List<TopicPartition> partitions(Object argument) {
        return ((Collection<?>) argument)
                .stream().map(TopicPartition.class::cast).toList();
    }

    /** Notes each rebalance, then tells the application's own listener. */
    private final class Noting implements ConsumerRebalanceListener {
        private final @Nullable ConsumerRebalanceListener listener;

        Noting(@Nullable ConsumerRebalanceListener listener) {
            this.listener = listener;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            recorder.positioned(lane, partitions);
            if (listener != null) {
                listener.onPartitionsAssigned(partitions);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            recorder.positioned(lane, partitions);
            if (listener != null) {
                listener.onPartitionsRevoked(partitions);
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            recorder.positioned(lane, partitions);
            if (listener != null) {
                listener.onPartitionsLost(partitions);
            }
        }
    }
}
