package io.tidemark.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class FetchSessionsTest {
    private static final short BY_NAME = 12;
    private static final short BY_ID = 18;
    private static final Uuid FOO = new Uuid(1, 1);

    private final Map<Uuid, String> names = new HashMap<>(Map.of(FOO, "foo"));
    private final FetchSessions sessions = new FetchSessions(2, new SplittableRandom(7));
    private long nowMs = 1_000;

    @Test
    void fullRequestOpensASession() {
        FetchResponse response = answer(open(full(0, "foo", 0, 1)), item -> quiet(item, 0));

        assertThat(response.sessionId()).isPositive();
        assertThat(partitionsOf(response)).containsExactly(0, 1);
    }

    @Test
    void requestWithoutASessionKeepsNone() {
        FetchResponse response = answer(open(full(0, "foo", 0).setSessionEpoch(-1)), item -> quiet(item, 0));

        assertThat(response.sessionId()).isZero();
        assertThat(sessions.size()).isZero();
    }

    @Test
    void incrementalRequestReadsAllPartitionsAndAnswersOnlyChanges() {
        int id = openSession(0, 1, 2);

        FetchContext context = open(next(id, 1));
        assertThat(context.items()).extracting(FetchItem::partition).containsExactly(0, 1, 2);
        FetchResponse response = answer(context, item -> quiet(item, item.partition() == 1 ? 5 : 0));

        assertThat(response.sessionId()).isEqualTo(id);
        assertThat(partitionsOf(response)).containsExactly(1);
    }

    @Test
    void unchangedPartitionsAreNotTold() {
        int id = openSession(0, 1);

        assertThat(partitionsOf(answer(open(next(id, 1)), item -> quiet(item, 0))))
                .isEmpty();
    }

    @Test
    void errorIsToldEachTimeAndItsEndOnce() {
        int id = openSession(0);

        assertThat(partitionsOf(answer(open(next(id, 1)), FetchSessionsTest::failed)))
                .containsExactly(0);
        assertThat(partitionsOf(answer(open(next(id, 2)), FetchSessionsTest::failed)))
                .containsExactly(0);
        assertThat(partitionsOf(answer(open(next(id, 3)), item -> quiet(item, 0))))
                .containsExactly(0);
        assertThat(partitionsOf(answer(open(next(id, 4)), item -> quiet(item, 0))))
                .isEmpty();
    }

    @Test
    void movedLogStartIsTold() {
        int id = openSession(0);

        FetchResponse response =
                answer(open(next(id, 1)), item -> quiet(item, 0).setLogStartOffset(3));

        assertThat(partitionsOf(response)).containsExactly(0);
    }

    @Test
    void watermarkIsToldAgainToAFollowerThatHasNotFollowedIt() {
        FetchRequest request = full(0, "foo", 0);
        request.topics().get(0).partitions().get(0).setHighWatermark(3);
        int id = answer(open(request), item -> quiet(item, 5)).sessionId();

        assertThat(partitionsOf(answer(open(next(id, 1)), item -> quiet(item, 5))))
                .containsExactly(0);
    }

    @Test
    void divergingEpochIsTold() {
        int id = openSession(0);

        FetchResponse response = answer(open(next(id, 1)), item -> quiet(item, 0)
                .setDivergingEpoch(
                        new FetchResponse.EpochEndOffset().setEpoch(1).setEndOffset(4)));

        assertThat(partitionsOf(response)).containsExactly(0);
    }

    @Test
    void partitionWithRecordsMovesToTheEnd() {
        int id = openSession(0, 1, 2);
        answer(open(next(id, 1)), item -> item.partition() == 0 ? withRecords(item) : quiet(item, 0));

        assertThat(open(next(id, 2)).items()).extracting(FetchItem::partition).containsExactly(1, 2, 0);
    }

    @Test
    void partitionsAreUpdatedAddedAndForgotten() {
        int id = openSession(0, 1);
        FetchRequest request = next(id, 1)
                .setTopics(List.of(topic("foo", partition(1, 40), partition(7, 0))))
                .setForgottenTopicsData(List.of(
                        new FetchRequest.ForgottenTopic().setTopic("foo").setPartitions(List.of(0))));

        FetchContext context = open(request);

        assertThat(context.items()).extracting(FetchItem::partition).containsExactly(1, 7);
        assertThat(context.items().get(0).fetchOffset()).isEqualTo(40);
    }

    @Test
    void unknownSessionIsRefused() {
        assertThat(open(next(99, 1)).error()).isEqualTo(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
    }

    @Test
    void wrongEpochIsRefusedAndChangesNothing() {
        int id = openSession(0);

        assertThat(open(next(id, 2)).error()).isEqualTo(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
        assertThat(open(next(id, 1)).error()).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void repeatedEpochIsRefused() {
        int id = openSession(0);
        open(next(id, 1));

        assertThat(open(next(id, 1)).error()).isEqualTo(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
    }

    @Test
    void epochAfterTheLargestIsOne() {
        assertThat(FetchSession.nextEpoch(Integer.MAX_VALUE)).isEqualTo(1);
        assertThat(FetchSession.nextEpoch(-1)).isEqualTo(-1);
    }

    @Test
    void closingRequestEndsTheSession() {
        int id = openSession(0);

        answer(open(full(id, "foo").setSessionEpoch(-1)), item -> quiet(item, 0));

        assertThat(sessions.size()).isZero();
    }

    @Test
    void fullRequestWithAnOldIdReplacesTheSession() {
        int id = openSession(0);

        FetchResponse response = answer(open(full(id, "foo", 0)), item -> quiet(item, 0));

        assertThat(sessions.size()).isEqualTo(1);
        assertThat(response.sessionId()).isNotEqualTo(id);
    }

    @Test
    void sessionLeftWithNoPartitionEnds() {
        int id = openSession(0);
        FetchRequest request = next(id, 1)
                .setForgottenTopicsData(List.of(
                        new FetchRequest.ForgottenTopic().setTopic("foo").setPartitions(List.of(0))));

        FetchResponse response = answer(open(request), item -> quiet(item, 0));

        assertThat(response.sessionId()).isZero();
        assertThat(sessions.size()).isZero();
    }

    @Test
    void namesAndIdsDoNotMix() {
        int id = openSession(0);

        FetchContext context = sessions.open(next(id, 1), BY_ID, false, names::get, nowMs);

        assertThat(context.error()).isEqualTo(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR);
    }

    @Test
    void topicOfAnIdIsNamedOnceItIsKnownAndKeepsItsName() {
        Uuid bar = new Uuid(2, 2);
        FetchRequest request = new FetchRequest()
                .setSessionEpoch(0)
                .setTopics(List.of(new FetchRequest.FetchTopic()
                        .setTopicId(bar)
                        .setPartitions(new ArrayList<>(List.of(partition(0, 0))))));
        FetchContext opening = sessions.open(request, BY_ID, false, names::get, nowMs);
        assertThat(opening.items().get(0).topic()).isNull();
        int id = answer(opening, FetchSessionsTest::failed).sessionId();

        names.put(bar, "bar");
        FetchContext second = sessions.open(next(id, 1), BY_ID, false, names::get, nowMs);
        assertThat(second.items().get(0).topic()).isEqualTo("bar");

        names.remove(bar);
        FetchContext third = sessions.open(next(id, 2), BY_ID, false, names::get, nowMs);
        assertThat(third.items().get(0).topic()).isEqualTo("bar");
    }

    @Test
    void overtakenRequestIsRefusedAtItsAnswer() {
        int id = openSession(0);
        FetchContext overtaken = open(next(id, 1));
        open(next(id, 2));

        assertThat(answer(overtaken, item -> quiet(item, 0)).errorCode())
                .isEqualTo(ErrorCode.INVALID_FETCH_SESSION_EPOCH.code());
    }

    @Test
    void consumerGetsNoSessionWhereAllSlotsAreInUse() {
        openSession(0);
        openSession(0);

        assertThat(openSession(0, 1, 2)).isZero();
        assertThat(sessions.size()).isEqualTo(2);
    }

    @Test
    void followerTakesTheSlotOfAConsumer() {
        openSession(0);
        openSession(0, 1);

        FetchContext follower = sessions.open(full(0, "foo", 0), BY_NAME, true, names::get, nowMs);

        assertThat(answer(follower, item -> quiet(item, 0)).sessionId()).isPositive();
        assertThat(sessions.size()).isEqualTo(2);
    }

    @Test
    void followerKeepsItsSlotFromAnotherFollower() {
        openFollower();
        openFollower();

        assertThat(openFollower()).isZero();
    }

    @Test
    void slotThatWasUnusedLongIsGivenAway() {
        openSession(0, 1, 2);
        int used = openSession(0);
        nowMs += FetchSessions.EVICTION_MS / 2 + 1;
        open(next(used, 1));
        nowMs += FetchSessions.EVICTION_MS / 2;

        assertThat(openSession(0)).isPositive();
        assertThat(open(next(used, 2)).error()).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void largerSessionTakesTheSlotOfASmallerOldOne() {
        int small = openSession(0);
        int large = openSession(0, 1, 2, 3);
        nowMs += FetchSessions.EVICTION_MS / 2 + 1;
        open(next(small, 1));
        open(next(large, 1));
        nowMs += FetchSessions.EVICTION_MS / 2;
        assertThat(openSession(0, 1)).as("while none was used that was old").isZero();
        open(next(small, 2));
        open(next(large, 2));

        assertThat(openSession(0, 1)).isPositive();
        assertThat(open(next(small, 3)).error()).isEqualTo(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(open(next(large, 3)).error()).isEqualTo(ErrorCode.NONE);
    }

    private int openFollower() {
        FetchContext follower = sessions.open(full(0, "foo", 0), BY_NAME, true, names::get, nowMs);
        return answer(follower, item -> quiet(item, 0)).sessionId();
    }

    private int openSession(Integer... partitions) {
        return answer(open(full(0, "foo", partitions)), item -> quiet(item, 0)).sessionId();
    }

    private FetchContext open(FetchRequest request) {
        return sessions.open(request, BY_NAME, false, names::get, nowMs);
    }

    private FetchResponse answer(FetchContext context, Function<FetchItem, FetchResponse.PartitionData> data) {
        List<FetchedPartition> fetched = new ArrayList<>();
        for (FetchItem item : context.items()) {
            fetched.add(new FetchedPartition(item, data.apply(item)));
        }
        return context.respond(fetched, nowMs);
    }

    private static FetchRequest full(int sessionId, String topic, Integer... partitions) {
        FetchRequest.FetchPartition[] asked = new FetchRequest.FetchPartition[partitions.length];
        for (int i = 0; i < partitions.length; i++) {
            asked[i] = partition(partitions[i], 0);
        }
        return new FetchRequest().setSessionId(sessionId).setSessionEpoch(0).setTopics(List.of(topic(topic, asked)));
    }

    private static FetchRequest next(int sessionId, int sessionEpoch) {
        return new FetchRequest().setSessionId(sessionId).setSessionEpoch(sessionEpoch);
    }

    private static FetchRequest.FetchTopic topic(String name, FetchRequest.FetchPartition... partitions) {
        return new FetchRequest.FetchTopic().setTopic(name).setPartitions(List.of(partitions));
    }

    private static FetchRequest.FetchPartition partition(int number, long offset) {
        return new FetchRequest.FetchPartition()
                .setPartition(number)
                .setFetchOffset(offset)
                .setPartitionMaxBytes(100);
    }

    private static FetchResponse.PartitionData quiet(FetchItem item, long highWatermark) {
        return new FetchResponse.PartitionData()
                .setPartitionIndex(item.partition())
                .setHighWatermark(highWatermark)
                .setLogStartOffset(0)
                .setRecords(BufferRecords.EMPTY);
    }

    private static FetchResponse.PartitionData withRecords(FetchItem item) {
        return quiet(item, 0).setRecords(new BufferRecords(Unpooled.wrappedBuffer(new byte[10])));
    }

    private static FetchResponse.PartitionData failed(FetchItem item) {
        return new FetchResponse.PartitionData()
                .setPartitionIndex(item.partition())
                .setErrorCode(ErrorCode.NOT_LEADER_OR_FOLLOWER.code())
                .setHighWatermark(-1);
    }

    private static List<Integer> partitionsOf(FetchResponse response) {
        List<Integer> partitions = new ArrayList<>();
        for (FetchResponse.FetchableTopicResponse topic : response.responses()) {
            topic.partitions().forEach(data -> partitions.add(data.partitionIndex()));
        }
        return partitions;
    }
}
