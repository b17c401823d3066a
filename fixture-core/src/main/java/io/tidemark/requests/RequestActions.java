package io.tidemark.requests;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ProduceRequest;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** All that can be done to a request. */
final class RequestActions {
    private static final long MILLIS_PER_SECOND = 1000;

    /** Short beside a follower's time to fall behind, and long beside a turn of a loop. */
    private static final long PAUSE_MS = 20;

    private RequestActions() {}

    /** Answered, and never handled or handled before. */
    record Answer(ErrorCode error, boolean isHandled) implements RequestAction {
        @Override
        public boolean canStrike(Passage passage) {
            return expectsAnswer(passage) && answer(passage).isPresent();
        }

        private Optional<ApiMessage> answer(Passage passage) {
            ApiMessage body = passage.request().body();
            return body == null
                    ? Optional.empty()
                    : ErrorAnswer.to(
                            passage.request().apiKey(), passage.request().version(), body, error);
        }

        @Override
        public Stage stage() {
            return isHandled ? Stage.AFTER : Stage.BEFORE;
        }

        @Override
        public boolean before(Passage passage, RequestFault fault) {
            if (isHandled) {
                passage.request().keep();
                return false;
            }
            answer(passage).ifPresent(passage.request()::answer);
            return true;
        }

        @Override
        public boolean after(Passage passage, RequestFault fault) {
            answer(passage).ifPresent(passage.request()::replace);
            return true;
        }
    }

    /** Only a produce with acks=0 expects none. */
    private static boolean expectsAnswer(Passage passage) {
        return !(passage.request().body() instanceof ProduceRequest produce && produce.acks() == 0);
    }

    /** The connection is closed in the place of an answer. */
    record LoseAnswer() implements RequestAction {
        @Override
        public boolean canStrike(Passage passage) {
            return expectsAnswer(passage);
        }

        @Override
        public Stage stage() {
            return Stage.AFTER;
        }

        @Override
        public boolean after(Passage passage, RequestFault fault) {
            passage.request().close();
            return true;
        }
    }

    /** The connection is dead, and nobody is told, before the request is handled or after it. */
    record Mute(boolean isHandled) implements RequestAction {
        @Override
        public Stage stage() {
            return isHandled ? Stage.AFTER : Stage.BEFORE;
        }

        @Override
        public boolean before(Passage passage, RequestFault fault) {
            if (isHandled) {
                return false;
            }
            mute(passage, fault);
            return true;
        }

        @Override
        public boolean after(Passage passage, RequestFault fault) {
            if (isHandled) {
                mute(passage, fault);
            }
            return isHandled;
        }

        private static void mute(Passage passage, RequestFault fault) {
            passage.request().mute();
            fault.onHeal(passage.request().loop(), passage.request()::resetMuted);
        }
    }

    /** The request is lost, and after a time the connection, as TCP gives one up. */
    record Drop(long giveUpMs) implements RequestAction {
        @Override
        public boolean before(Passage passage, RequestFault fault) {
            passage.request().mute();
            passage.request().loop().schedule(giveUpMs, passage.request()::resetMuted);
            return true;
        }
    }

    /** The connection is closed, and the request never handled. */
    record Close(boolean isReset) implements RequestAction {
        @Override
        public boolean before(Passage passage, RequestFault fault) {
            if (isReset) {
                passage.request().reset();
            } else {
                passage.request().close();
            }
            return true;
        }
    }

    /** It takes longer, before it is handled or after. */
    record Delay(LongSupplier delayMs, boolean isHandled) implements RequestAction {
        @Override
        public Stage stage() {
            return isHandled ? Stage.AFTER : Stage.BEFORE;
        }

        @Override
        public boolean before(Passage passage, RequestFault fault) {
            return !isHandled && passage.wait(delayMs.getAsLong(), passage::next);
        }

        @Override
        public boolean after(Passage passage, RequestFault fault) {
            return isHandled && passage.wait(delayMs.getAsLong(), passage::nextAfter);
        }

        @Override
        public boolean isOfLink() {
            return isHandled;
        }
    }

    /** Request and answer take as long as so many bytes take. */
    record Bandwidth(long bytesPerSecond) implements RequestAction {
        @Override
        public boolean before(Passage passage, RequestFault fault) {
            return passage.wait(ms(passage.request().sizeInBytes()), passage::next);
        }

        @Override
        public boolean after(Passage passage, RequestFault fault) {
            return passage.wait(ms(passage.answerBytes()), passage::nextAfter);
        }

        @Override
        public boolean isOfLink() {
            return true;
        }

        private long ms(long bytes) {
            return bytes * MILLIS_PER_SECOND / bytesPerSecond;
        }
    }

    /** It waits at the door until the fault lets it go, before it is handled, after, or both. */
    record Hold(boolean isBefore, boolean isAfter) implements RequestAction {
        @Override
        public boolean before(Passage passage, RequestFault fault) {
            return isBefore && fault.park(passage, passage::next);
        }

        @Override
        public boolean after(Passage passage, RequestFault fault) {
            return isAfter && fault.park(passage, passage::nextAfter);
        }

        @Override
        public Stage stage() {
            return Stage.OWN;
        }

        @Override
        public boolean isOfLink() {
            return isBefore && isAfter;
        }
    }

    /** It is handled twice; the second answer is the one that is sent. */
    record Duplicate() implements RequestAction {
        @Override
        public boolean before(Passage passage, RequestFault fault) {
            passage.request().keep();
            return false;
        }

        @Override
        public Stage stage() {
            return Stage.AFTER;
        }

        @Override
        public boolean after(Passage passage, RequestFault fault) {
            return passage.repeatOnce();
        }
    }

    /** The answer is another one; null leaves it as it is. */
    record Rewrite(UnaryOperator<@Nullable ApiMessage> change) implements RequestAction {
        @Override
        public boolean after(Passage passage, RequestFault fault) {
            ApiMessage answer = passage.request().answerBody();
            ApiMessage changed = answer == null ? null : change.apply(answer);
            if (changed == null) {
                return false;
            }
            fault.tell(passage);
            // Not at once: who is given nothing asks again at once.
            return passage.wait(PAUSE_MS, () -> passage.request().replace(changed));
        }

        @Override
        public Stage stage() {
            return Stage.OWN;
        }

        @Override
        public boolean isOfLink() {
            return true;
        }

        @Override
        public boolean readsAnswer() {
            return true;
        }
    }
}
