package io.tidemark.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReaderSessionTest {
    private static final Uuid FOO = new Uuid(1, 1);

    private final ReaderSession session = new ReaderSession();

    @Test
    void beginsWithEverything() {
        FetchRequest request = next(item(0, 5), item(1, 6));

        assertThat(request.sessionId()).isZero();
        assertThat(request.sessionEpoch()).isZero();
        assertThat(request.topics().get(0).partitions()).hasSize(2);
    }

    @Test
    void goesOnWithChangesOnly() {
        next(item(0, 5), item(1, 6));
        session.onResponse(new FetchResponse().setSessionId(9));

        FetchRequest request = next(item(0, 5), item(1, 7));

        assertThat(request.sessionId()).isEqualTo(9);
        assertThat(request.sessionEpoch()).isEqualTo(1);
        assertThat(request.topics().get(0).partitions())
                .extracting(FetchRequest.FetchPartition::partition)
                .containsExactly(1);
    }

    @Test
    void namesWhatItNoLongerReads() {
        next(item(0, 5), item(1, 6));
        session.onResponse(new FetchResponse().setSessionId(9));

        FetchRequest request = next(item(1, 6));

        assertThat(request.topics()).isEmpty();
        assertThat(request.forgottenTopicsData().get(0).partitions()).containsExactly(0);
    }

    @Test
    void staysWithFullRequestsWhereNoSessionIsGiven() {
        next(item(0, 5));
        session.onResponse(new FetchResponse().setSessionId(0));

        FetchRequest request = next(item(0, 5));

        assertThat(request.sessionEpoch()).isZero();
        assertThat(request.topics()).hasSize(1);
    }

    @Test
    void beginsAnewWhereItsSessionIsUnknown() {
        next(item(0, 5));
        session.onResponse(new FetchResponse().setSessionId(9));
        next(item(0, 5));

        ErrorCode error =
                session.onResponse(new FetchResponse().setErrorCode(ErrorCode.FETCH_SESSION_ID_NOT_FOUND.code()));

        assertThat(error).isEqualTo(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        FetchRequest request = next(item(0, 5));
        assertThat(request.sessionId()).isZero();
        assertThat(request.topics()).hasSize(1);
    }

    @Test
    void closesTheOldSessionForANewOneAfterALostResponse() {
        next(item(0, 5));
        session.onResponse(new FetchResponse().setSessionId(9));
        next(item(0, 5));

        session.onFailure();

        FetchRequest request = next(item(0, 5));
        assertThat(request.sessionId()).isEqualTo(9);
        assertThat(request.sessionEpoch()).isZero();
        assertThat(request.topics()).hasSize(1);
    }

    private FetchRequest next(FetchItem... items) {
        FetchRequest request = new FetchRequest();
        session.fill(request, List.of(items));
        return request;
    }

    private static FetchItem item(int partition, long offset) {
        return new FetchItem(FOO, "foo", partition, 3, offset, 2, 0, 100, 0);
    }
}
