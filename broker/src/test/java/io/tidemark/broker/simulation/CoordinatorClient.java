package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FindCoordinatorRequest;
import io.tidemark.broker.protocol.message.FindCoordinatorResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** A client that talks to coordinators: it finds them, and asks again what failed for a reason that passes. */
abstract class CoordinatorClient extends Client {
    private static final int FIND_COORDINATOR_VERSION = 4;
    private static final int UNKNOWN = -1;

    private final Map<String, Integer> coordinators = new TreeMap<>();
    private boolean isGone;

    CoordinatorClient(World world, Oracle oracle, Machine machine, int brokers) {
        super(world, oracle, machine, brokers);
    }

    /** What a coordinator is of. */
    enum KeyType {
        GROUP,
        TRANSACTION
    }

    /** A request and what became of it so far. */
    static final class Question {
        final KeyType keyType;
        final String key;
        final int version;
        final Supplier<ApiMessage> request;
        final Function<ApiMessage, ErrorCode> errorOf;
        final long sinceUs;

        /** When it was sent for the last time. */
        long sentUs;

        /** Whom it was sent to then. */
        int sentTo = UNKNOWN;

        /** One of its requests was never answered, and may still arrive. */
        boolean isUnanswered;

        /** It may have been done, whatever is answered in the end. */
        boolean mayBeDone;

        /** After so long it is given up; 0 for never. */
        long patienceUs;

        Question(
                KeyType keyType,
                String key,
                int version,
                Supplier<ApiMessage> request,
                Function<ApiMessage, ErrorCode> errorOf,
                long sinceUs) {
            this.keyType = keyType;
            this.key = key;
            this.version = version;
            this.request = request;
            this.errorOf = errorOf;
            this.sinceUs = sinceUs;
        }
    }

    /** Hears the outcome of a question. */
    @FunctionalInterface
    interface Outcome {
        /**
         * @param error REQUEST_TIMED_OUT if it was given up
         * @param response the last one; meaningless where it was given up
         */
        void on(ErrorCode error, ApiMessage response);
    }

    /** It does nothing from now on, and what it has sent may still arrive. */
    void leave() {
        isGone = true;
    }

    boolean isGone() {
        return isGone;
    }

    /** Asks until there is an answer that is none of "not now" and "not here", or until patience ends. */
    void ask(Question question, Outcome outcome) {
        if (isGone) {
            return;
        }
        if (question.patienceUs > 0 && world.nowUs() - question.sinceUs > question.patienceUs) {
            outcome.on(ErrorCode.REQUEST_TIMED_OUT, new FindCoordinatorResponse());
            return;
        }
        int coordinator = coordinators.getOrDefault(question.keyType + question.key, UNKNOWN);
        if (coordinator == UNKNOWN) {
            find(question, outcome);
            return;
        }
        question.sentUs = world.nowUs();
        question.sentTo = coordinator;
        send(
                coordinator,
                question.request.get(),
                question.version,
                response -> {
                    if (!isGone) {
                        onAnswer(question, outcome, response);
                    }
                },
                () -> {
                    question.isUnanswered = true;
                    question.mayBeDone = true;
                    onElsewhere(question, outcome);
                });
    }

    private void onAnswer(Question question, Outcome outcome, ApiMessage response) {
        ErrorCode error = question.errorOf.apply(response);
        switch (error) {
            case COORDINATOR_NOT_AVAILABLE, NOT_COORDINATOR, REQUEST_TIMED_OUT -> {
                question.mayBeDone = true;
                onElsewhere(question, outcome);
            }
            case COORDINATOR_LOAD_IN_PROGRESS, CONCURRENT_TRANSACTIONS -> again(question, outcome);
            case UNKNOWN_TOPIC_OR_PARTITION -> {
                // The coordinator has not heard of a new partition yet.
                refresh();
                again(question, outcome);
            }
            default -> outcome.on(error, response);
        }
    }

    private void onElsewhere(Question question, Outcome outcome) {
        coordinators.remove(question.keyType + question.key);
        again(question, outcome);
    }

    private void again(Question question, Outcome outcome) {
        if (!isGone) {
            later(random.nextLong(10, 100), () -> ask(question, outcome));
        }
    }

    private void find(Question question, Outcome outcome) {
        FindCoordinatorRequest request = new FindCoordinatorRequest()
                .setKeyType((byte) question.keyType.ordinal())
                .setCoordinatorKeys(new ArrayList<>(List.of(question.key)));
        send(
                anyBroker(),
                request,
                FIND_COORDINATOR_VERSION,
                response -> {
                    FindCoordinatorResponse.Coordinator found =
                            ((FindCoordinatorResponse) response).coordinators().get(0);
                    if (found.errorCode() == 0) {
                        coordinators.put(question.keyType + question.key, found.nodeId());
                        ask(question, outcome);
                    } else {
                        again(question, outcome);
                    }
                },
                () -> again(question, outcome));
    }
}
