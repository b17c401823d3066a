package io.tidemark.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.MessageWriter;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.OffsetFetchRequest;
import io.tidemark.broker.protocol.message.OffsetFetchResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.types.Uuid;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The answer to every request of Kafka's protocol can be an error that Kafka's own client classes find in it. */
class ErrorAnswerTest {
    private static final ErrorCode ERROR = ErrorCode.REQUEST_TIMED_OUT;

    @TestFactory
    Stream<DynamicTest> everyApiInEveryVersion() {
        return Stream.of(ApiKey.values())
                .filter(apiKey -> apiKey.maxVersion() >= apiKey.minVersion())
                .map(apiKey -> DynamicTest.dynamicTest(apiKey.name(), () -> {
                    for (int version = apiKey.minVersion(); version <= apiKey.maxVersion(); version++) {
                        clientsFindTheErrorIn(apiKey, (short) version);
                    }
                }));
    }

    private static void clientsFindTheErrorIn(ApiKey apiKey, short version) {
        ApiMessage request = FilledRequest.of(apiKey, version);

        ApiMessage answer = ErrorAnswer.to(apiKey, version, request, ERROR)
                .orElseThrow(() ->
                        new AssertionError(apiKey + " v" + version + " has no place for an error, asked " + request));

        MessageWriter out = new MessageWriter();
        answer.write(out, version);
        ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray());
        AbstractResponse read =
                AbstractResponse.parseResponse(ApiKeys.forId(apiKey.id()), new ByteBufferAccessor(bytes), version);
        assertThat(bytes.remaining()).as("bytes left of " + answer).isZero();
        Map<Errors, Integer> errors = read.errorCounts();
        Set<Errors> others = new TreeSet<>(errors.keySet());
        assertThat(others.remove(Errors.REQUEST_TIMED_OUT))
                .as(apiKey + " v" + version + ": " + answer)
                .isTrue();
        assertThat(others)
                .as("others of " + apiKey + " v" + version + ": " + answer)
                .isSubsetOf(hasNoneAtTheTop(apiKey, version) ? Set.of(Errors.NONE) : Set.of());
    }

    /** Kafka's classes count the error at the top too, which is of the session, or not in the version. */
    private static boolean hasNoneAtTheTop(ApiKey apiKey, short version) {
        return switch (apiKey) {
            case FETCH, SHARE_FETCH, SHARE_ACKNOWLEDGE -> true;
            case DESCRIBE_LOG_DIRS -> version < 3;
            case ELECT_LEADERS -> version == 0;
            default -> false;
        };
    }

    @Test
    void namesEveryPartitionThatWasAskedFor() {
        ProduceRequest request = (ProduceRequest) FilledRequest.of(ApiKey.PRODUCE, (short) 12);
        ProduceRequest.TopicProduceData topic = request.topicData().get(0).setName("orders");
        topic.partitionData().add(new ProduceRequest.PartitionProduceData().setIndex(7));

        ProduceResponse answer = (ProduceResponse) answer(ApiKey.PRODUCE, 12, request, ERROR);

        assertThat(answer.responses()).singleElement().satisfies(result -> {
            assertThat(result.name()).isEqualTo("orders");
            assertThat(result.partitionResponses())
                    .extracting(ProduceResponse.PartitionProduceResponse::index)
                    .containsExactly(3, 7);
        });
    }

    @Test
    void knowsTopicsByTheirIds() {
        FetchRequest request = (FetchRequest) FilledRequest.of(ApiKey.FETCH, (short) 17);

        FetchResponse answer = (FetchResponse) answer(ApiKey.FETCH, 17, request, ERROR);

        assertThat(answer.errorCode()).isZero();
        assertThat(answer.responses()).singleElement().satisfies(topic -> {
            assertThat(topic.topicId()).isEqualTo(new Uuid(1, 2));
            assertThat(topic.partitions()).singleElement().satisfies(partition -> {
                assertThat(partition.partitionIndex()).isEqualTo(3);
                assertThat(partition.errorCode()).isEqualTo(ERROR.code());
            });
        });
    }

    @Test
    void anErrorOfASessionIsOfTheWhole() {
        FetchRequest request = (FetchRequest) FilledRequest.of(ApiKey.FETCH, (short) 17);

        FetchResponse answer = (FetchResponse) answer(ApiKey.FETCH, 17, request, ErrorCode.FETCH_SESSION_ID_NOT_FOUND);

        assertThat(answer.errorCode()).isEqualTo(ErrorCode.FETCH_SESSION_ID_NOT_FOUND.code());
    }

    @Test
    void namesGroups() {
        OffsetFetchRequest request = (OffsetFetchRequest) FilledRequest.of(ApiKey.OFFSET_FETCH, (short) 8);
        request.groups().get(0).setGroupId("billing");

        OffsetFetchResponse answer = (OffsetFetchResponse) answer(ApiKey.OFFSET_FETCH, 8, request, ERROR);

        assertThat(answer.groups()).singleElement().satisfies(group -> {
            assertThat(group.groupId()).isEqualTo("billing");
            assertThat(group.errorCode()).isEqualTo(ERROR.code());
        });
    }

    private static ApiMessage answer(ApiKey apiKey, int version, ApiMessage request, ErrorCode error) {
        return ErrorAnswer.to(apiKey, (short) version, request, error).orElseThrow();
    }
}
