package io.tidemark.chaos.history;

import io.tidemark.chaos.history.HistoryRecorder.OpenSend;
import io.tidemark.chaos.history.HistoryRecorder.OpenTransaction;
import java.lang.reflect.Method;
import java.util.Set;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Notes what a producer sends and how its transactions end. */
final class RecordedProducer extends Recorded {
    /** After these nothing was written: the client or the broker refused the record itself, before any append. */
    private static final Set<String> MEANS_NOT_WRITTEN = Set.of(
            "RecordTooLargeException",
            "SerializationException",
            "InvalidTopicException",
            "TopicAuthorizationException",
            "ClusterAuthorizationException",
            "InvalidTimestampException",
            "InvalidRecordException",
            "CorruptRecordException",
            "UnsupportedForMessageFormatException");

    private final HistoryRecorder recorder;
    private final String process;
    private final String name;
    private volatile @Nullable OpenTransaction transaction;

    private RecordedProducer(HistoryRecorder recorder, String process, String name, Producer<?, ?> producer) {
        super(producer);
        this.recorder = recorder;
        this.process = process;
        this.name = name;
    }

    static <K, V> Producer<K, V> of(HistoryRecorder recorder, String process, String name, Producer<K, V> producer) {
        return as(Producer.class, new RecordedProducer(recorder, process, name, producer));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "send" ->
                send((ProducerRecord<?, ?>) arguments[0], arguments.length == 1 ? null : (Callback) arguments[1]);
            case "beginTransaction" -> {
                Object result = call(method, arguments);
                transaction = recorder.begin(process);
                yield result;
            }
            case "commitTransaction" -> end(method, arguments, true);
            case "abortTransaction" -> end(method, arguments, false);
            default -> isOfObject(method) && method.getName().equals("toString") ? toString() : call(method, arguments);
        };
    }

    private Object send(ProducerRecord<?, ?> record, @Nullable Callback callback) throws Throwable {
        Integer chosen = record.partition();
        OpenSend send = recorder.send(
                process,
                name + "/" + Thread.currentThread().getId(),
                transaction,
                chosen == null ? null : record.topic() + "-" + chosen,
                HistoryRecorder.text(record.key()),
                String.valueOf(record.value()));
        Callback noting = (metadata, error) -> {
            if (error == null) {
                send.ok(
                        metadata.topic() + "-" + metadata.partition(),
                        metadata.hasOffset() ? metadata.offset() : History.UNKNOWN);
            } else if (meansNotWritten(error)) {
                send.failed(error.toString());
            } else {
                send.indeterminate(error.toString());
            }
            if (callback != null) {
                callback.onCompletion(metadata, error);
            }
        };
        Method twoArguments = Producer.class.getMethod("send", ProducerRecord.class, Callback.class);
        try {
            return call(twoArguments, new Object[] {record, noting});
        } catch (Throwable e) {
            // It never left the application.
            send.failed(e.toString());
            throw e;
        }
    }

    static boolean meansNotWritten(Throwable error) {
        return MEANS_NOT_WRITTEN.contains(error.getClass().getSimpleName());
    }

    private Object end(Method method, Object[] arguments, boolean commits) throws Throwable {
        OpenTransaction ending = transaction;
        if (ending == null) {
            return call(method, arguments);
        }
        if (commits) {
            ending.committing();
        }
        try {
            Object result = call(method, arguments);
            if (commits) {
                ending.committed();
            } else {
                ending.aborted();
            }
            transaction = null;
            return result;
        } catch (Throwable e) {
            ending.indeterminate();
            throw e;
        }
    }
}
