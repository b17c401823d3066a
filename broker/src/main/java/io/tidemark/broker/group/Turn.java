package io.tidemark.broker.group;

import io.tidemark.broker.coordinator.Answer;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One decision in the making: the time, the records so far and the answers so far. */
final class Turn {
    private final long nowMs;
    private final List<CoordinatorRecord> records = new ArrayList<>();
    private final List<Answer<?>> answers = new ArrayList<>();

    Turn(long nowMs) {
        this.nowMs = nowMs;
    }

    long nowMs() {
        return nowMs;
    }

    void record(CoordinatorRecord record) {
        records.add(record);
    }

    boolean hasRecords() {
        return !records.isEmpty();
    }

    <T> void answer(Answer.Ticket<T> ticket, T value, Function<ErrorCode, T> onFailure) {
        answers.add(new Answer<>(ticket, value, onFailure));
    }

    CoordinatorResult<List<Answer<?>>> result() {
        return new CoordinatorResult<>(records, List.copyOf(answers));
    }

    <R> CoordinatorResult<R> result(R reply) {
        return new CoordinatorResult<>(records, reply);
    }
}
