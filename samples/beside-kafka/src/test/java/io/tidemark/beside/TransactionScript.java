package io.tidemark.beside;

import static org.awaitility.Awaitility.await;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.message.AddOffsetsToTxnRequest;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTopic;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction;
import io.tidemark.broker.protocol.message.DescribeTransactionsRequest;
import io.tidemark.broker.protocol.message.DescribeTransactionsResponse;
import io.tidemark.broker.protocol.message.EndTxnRequest;
import io.tidemark.broker.protocol.message.EndTxnResponse;
import io.tidemark.broker.protocol.message.FindCoordinatorRequest;
import io.tidemark.broker.protocol.message.FindCoordinatorResponse;
import io.tidemark.broker.protocol.message.InitProducerIdRequest;
import io.tidemark.broker.protocol.message.InitProducerIdResponse;
import io.tidemark.broker.protocol.message.ListGroupsRequest;
import io.tidemark.broker.protocol.message.ListGroupsResponse;
import io.tidemark.broker.protocol.message.ListOffsetsRequest;
import io.tidemark.broker.protocol.message.ListTransactionsRequest;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks a broker for everything of a transaction, right and wrong, in every version, and writes down what it answers. A
 * producer id is written as how many were seen before it, and left out are times and messages for people.
 */
final class TransactionScript {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    static final String TOPIC = "orders";
    static final String OTHER = "returns";
    private static final long UNKNOWN_PRODUCER = 424_242;
    private static final long TIMESTAMP_MS = 1_790_000_000_000L;
    /** Of those that match, each matches one id, for the order of ids is nobody's business. */
    private static final List<String> PATTERNS = List.of(
            "add-[3-3]",
            "add-0|nothing",
            "(?i)ADD-1",
            "(?P<name>add)-2",
            "\\Qadd-4\\E",
            "add",
            "nothing.*",
            "[(?=*+]+",
            "\\++",
            "(a)dd-\\1",
            "(?=a)add-0",
            "(?!a)add-0",
            "(?<=a)dd-0",
            "(?>a)dd-0",
            "ad*+-0",
            "ad++-0",
            "ad?+-0",
            "ad{2}+-0",
            "\\Gadd-0",
            "\\Zadd-0",
            "(add-0",
            "[add-0",
            "*add-0");

    private static final Set<String> AT_REST = Set.of("Empty", "CompleteCommit", "CompleteAbort");
    private static final Pattern PRODUCER_ID = Pattern.compile("producerId=(\\d+)");
    private static final Pattern LEFT_OUT =
            Pattern.compile("(throttleTimeMs|errorMessage|logAppendTimeMs|transactionStartTimeMs)=[^,)]*,? ?");

    private final RawConnection connection;
    private final List<String> answers = new ArrayList<>();
    private final Map<String, Integer> producerIds = new LinkedHashMap<>();

    /** A producer as it was given to a transactional id. */
    private record Holder(@Nullable String id, long producerId, short epoch) {
        Holder withEpoch(int other) {
            return new Holder(id, producerId, (short) other);
        }

        Holder withProducerId(long other) {
            return new Holder(id, other, epoch);
        }

        Holder withId(String other) {
            return new Holder(other, producerId, epoch);
        }
    }

    TransactionScript(RawConnection connection) {
        this.connection = connection;
    }

    /** All answers, in order, each behind what was asked. */
    List<String> run() throws IOException {
        awaitCoordinators();
        for (int version = 0; version <= newest(ApiKey.INIT_PRODUCER_ID); version++) {
            initialize(version);
        }
        for (int version = 0; version <= newest(ApiKey.ADD_PARTITIONS_TO_TXN); version++) {
            addPartitions(version);
        }
        for (String pattern : PATTERNS) {
            list(pattern);
        }
        for (int version = 3; version <= 12; version++) {
            produce(version);
        }
        for (int version = 0; version <= newest(ApiKey.END_TXN); version++) {
            end(version);
        }
        for (int version = 0; version <= 5; version++) {
            commitOffsets(version);
        }
        for (int version = 1; version <= newest(ApiKey.WRITE_TXN_MARKERS); version++) {
            writeMarkers(version);
        }
        Holder nobody = new Holder(null, RecordBatch.NO_PRODUCER_ID, RecordBatch.NO_PRODUCER_EPOCH);
        produce(9, nobody, OTHER, RecordBatch.NO_SEQUENCE);
        for (int version = ApiKey.LIST_OFFSETS.minVersion(); version <= newest(ApiKey.LIST_OFFSETS); version++) {
            listOffsets(version);
        }
        return answers;
    }

    /** Both make their topics when they are first asked for. */
    private void awaitCoordinators() {
        for (byte type : new byte[] {0, 1}) {
            FindCoordinatorRequest request =
                    new FindCoordinatorRequest().setKeyType(type).setCoordinatorKeys(List.of("first"));
            await("a coordinator of type " + type).atMost(LIMIT).until(() -> {
                FindCoordinatorResponse response =
                        (FindCoordinatorResponse) connection.ask(ApiKey.FIND_COORDINATOR, 4, request);
                return response.coordinators().get(0).errorCode() == 0;
            });
        }
        InitProducerIdRequest request =
                new InitProducerIdRequest().setTransactionalId("first").setTransactionTimeoutMs(1_000);
        await("transactional ids").atMost(LIMIT).until(() -> {
            InitProducerIdResponse response =
                    (InitProducerIdResponse) connection.ask(ApiKey.INIT_PRODUCER_ID, 2, request);
            return response.errorCode() == 0;
        });
        ListGroupsRequest groups = new ListGroupsRequest();
        await("groups").atMost(LIMIT).until(() -> {
            ListGroupsResponse response = (ListGroupsResponse) connection.ask(ApiKey.LIST_GROUPS, 2, groups);
            return response.errorCode() == 0;
        });
    }

    private static int newest(ApiKey apiKey) {
        return apiKey.maxStableVersion();
    }

    // ---- chapters

    private void initialize(int version) throws IOException {
        String id = "init-" + version;
        Holder first = init(version, id, 60_000, -1, -1);
        init(version, id, 60_000, -1, -1);
        init(version, "", 60_000, -1, -1);
        init(version, id + "-none", 0, -1, -1);
        init(version, id + "-long", 900_001, -1, -1);
        if (version >= 3) {
            init(version, id, 60_000, first.producerId(), first.epoch());
            init(version, id, 60_000, first.producerId(), first.epoch());
            init(version, id, 60_000, first.producerId(), first.epoch() + 9);
            init(version, id, 60_000, UNKNOWN_PRODUCER, 0);
            init(version, id, 60_000, first.producerId(), -1);
            init(version, id + "-new", 60_000, UNKNOWN_PRODUCER, 3);
        }
        // Over an open transaction: it is ended first.
        Holder open = init(version, id, 60_000, -1, -1);
        add(3, open, TOPIC);
        init(version, id, 60_000, -1, -1);
        settle(id);
        init(version, id, 60_000, -1, -1);
    }

    private void addPartitions(int version) throws IOException {
        Holder holder = newHolder("add-" + version);
        add(version, holder.withId("add-unknown"), TOPIC);
        add(version, holder.withId(""), TOPIC);
        add(version, holder.withProducerId(UNKNOWN_PRODUCER), TOPIC);
        add(version, holder.withEpoch(holder.epoch() + 1), TOPIC);
        add(version, holder.withEpoch(holder.epoch() - 1), TOPIC);
        add(version, holder, "no-such-topic");
        if (version >= 4) {
            verify(version, holder, TOPIC);
        }
        add(version, holder, TOPIC);
        add(version, holder, TOPIC);
        if (version >= 4) {
            verify(version, holder, TOPIC);
            verify(version, holder, OTHER);
            verify(version, holder.withEpoch(holder.epoch() + 1), TOPIC);
        }
        describe(holder.id());
        list("add-" + version);
        end(0, holder, false);
        settle(holder.id());
        describe(holder.id());
        add(version, holder, TOPIC);
        endAndSettle(holder);
    }

    private void produce(int version) throws IOException {
        Holder holder = newHolder("produce-" + version);
        produce(version, holder.withId("produce-unknown").withProducerId(UNKNOWN_PRODUCER), 0);
        produce(version, holder.withEpoch(holder.epoch() + 1), 0);
        // In a transaction that nobody opened; the newest version opens it by this.
        produce(version, holder, 0);
        produce(version, holder, 0);
        produce(version, holder, 5);
        describe(holder.id());
        add(3, holder, TOPIC);
        produce(version, holder, 0);
        produce(version, holder, 0);
        produce(version, holder, 1);
        produce(version, holder, 7);
        produce(version, holder.withEpoch(holder.epoch() - 1), 0);
        describe(holder.id());
        endAndSettle(holder);
        produce(version, holder, 2);
        describe(holder.id());
    }

    private void end(int version) throws IOException {
        Holder holder = newHolder("end-" + version);
        end(version, holder.withId("end-unknown"), true);
        end(version, holder.withId(""), true);
        end(version, holder.withProducerId(UNKNOWN_PRODUCER), true);
        end(version, holder.withEpoch(holder.epoch() + 1), true);
        end(version, holder.withEpoch(holder.epoch() - 1), true);
        end(version, holder, true);
        for (boolean committed : new boolean[] {true, false}) {
            Holder next = newHolder("end-" + version);
            add(3, next, TOPIC);
            end(version, next, committed);
            settle(next.id());
            // Again, as one whose answer was lost, then otherwise.
            end(version, next, committed);
            settle(next.id());
            end(version, next, !committed);
            settle(next.id());
            describe(next.id());
        }
        Holder empty = newHolder("end-" + version);
        end(version, empty, false);
        settle(empty.id());
        describe(empty.id());
    }

    private void commitOffsets(int version) throws IOException {
        Holder holder = newHolder("offsets-" + version);
        String group = "group-" + version;
        commitOffset(version, holder.withId("offsets-unknown"), group, "", -1);
        commitOffset(version, holder, "", "", -1);
        commitOffset(version, holder, group, "", -1);
        for (int addVersion = 0; addVersion <= newest(ApiKey.ADD_OFFSETS_TO_TXN); addVersion++) {
            addOffsets(addVersion, holder.withId("offsets-unknown"), group);
            addOffsets(addVersion, holder.withEpoch(holder.epoch() + 1), group);
            addOffsets(addVersion, holder, group);
        }
        commitOffset(version, holder, group, "", -1);
        if (version >= 3) {
            commitOffset(version, holder, group, "nobody", 4);
            commitOffset(version, holder, group, "", 4);
        }
        commitOffset(version, holder.withEpoch(holder.epoch() - 1), group, "", -1);
        endAndSettle(holder);
    }

    private void writeMarkers(int version) throws IOException {
        newHolder("markers-" + version);
        Holder holder = newHolder("markers-" + version);
        add(3, holder, TOPIC);
        writeMarker(version, holder, "no-such-topic", 0);
        produce(9, holder, 0);
        writeMarker(version, holder.withEpoch(holder.epoch() - 1), TOPIC, 0);
        writeMarker(version, holder.withEpoch(-1), TOPIC, 0);
        writeMarker(version, holder.withEpoch(-1), "no-such-topic", 0);
        writeMarker(version, holder.withEpoch(-1), "__consumer_offsets", 0);
        writeMarker(version, holder.withProducerId(-1), TOPIC, 0);
        writeMarker(version, holder.withProducerId(-1), "__consumer_offsets", 0);
        writeMarker(version, holder, TOPIC, 7);
        writeMarker(version, holder, TOPIC, 6);
        // The coordinator is older now than who wrote the last marker, and could not end this one: it stays as it is.
        writeMarker(version, holder, TOPIC, 7);
    }

    /** In a topic without markers, for those carry the time of their writing. */
    private void listOffsets(int version) throws IOException {
        for (long timestamp : new long[] {-1, -2, -3, -4, -5, -6, TIMESTAMP_MS, TIMESTAMP_MS + 1}) {
            ListOffsetsRequest request = new ListOffsetsRequest()
                    .setReplicaId(-1)
                    .setTopics(List.of(new ListOffsetsRequest.ListOffsetsTopic()
                            .setName(OTHER)
                            .setPartitions(
                                    List.of(new ListOffsetsRequest.ListOffsetsPartition().setTimestamp(timestamp)))));
            ask(ApiKey.LIST_OFFSETS, version, request);
        }
    }

    // ---- requests

    private Holder newHolder(String id) throws IOException {
        return init(4, id, 60_000, -1, -1);
    }

    private Holder init(int version, String id, int timeoutMs, long producerId, int epoch) throws IOException {
        InitProducerIdRequest request =
                new InitProducerIdRequest().setTransactionalId(id).setTransactionTimeoutMs(timeoutMs);
        if (version >= 3) {
            request.setProducerId(producerId).setProducerEpoch((short) epoch);
        }
        InitProducerIdResponse response = (InitProducerIdResponse) ask(ApiKey.INIT_PRODUCER_ID, version, request);
        return new Holder(id, response.producerId(), response.producerEpoch());
    }

    private void add(int version, Holder holder, String topic) throws IOException {
        AddPartitionsToTxnTopic asked =
                new AddPartitionsToTxnTopic().setName(topic).setPartitions(List.of(0));
        ask(
                ApiKey.ADD_PARTITIONS_TO_TXN,
                version,
                version >= 4
                        ? batched(holder, asked, false)
                        : new AddPartitionsToTxnRequest()
                                .setV3AndBelowTransactionalId(holder.id())
                                .setV3AndBelowProducerId(holder.producerId())
                                .setV3AndBelowProducerEpoch(holder.epoch())
                                .setV3AndBelowTopics(List.of(asked)));
    }

    private void verify(int version, Holder holder, String topic) throws IOException {
        AddPartitionsToTxnTopic asked =
                new AddPartitionsToTxnTopic().setName(topic).setPartitions(List.of(0));
        ask(ApiKey.ADD_PARTITIONS_TO_TXN, version, batched(holder, asked, true));
    }

    private static AddPartitionsToTxnRequest batched(Holder holder, AddPartitionsToTxnTopic asked, boolean verifyOnly) {
        return new AddPartitionsToTxnRequest()
                .setTransactions(List.of(new AddPartitionsToTxnTransaction()
                        .setTransactionalId(holder.id())
                        .setProducerId(holder.producerId())
                        .setProducerEpoch(holder.epoch())
                        .setVerifyOnly(verifyOnly)
                        .setTopics(List.of(asked))));
    }

    private void produce(int version, Holder holder, int sequence) throws IOException {
        produce(version, holder, TOPIC, sequence);
    }

    private void produce(int version, Holder holder, String topic, int sequence) throws IOException {
        RecordBatchBuilder batch = new RecordBatchBuilder().producer(holder.producerId(), holder.epoch(), sequence);
        if (holder.id() != null) {
            batch.transactional();
        }
        BufferRecords records =
                new BufferRecords(batch.add(TIMESTAMP_MS, null, new byte[] {1}).build());
        ask(
                ApiKey.PRODUCE,
                version,
                new ProduceRequest()
                        .setTransactionalId(holder.id())
                        .setAcks((short) -1)
                        .setTimeoutMs(10_000)
                        .setTopicData(List.of(new ProduceRequest.TopicProduceData()
                                .setName(topic)
                                .setPartitionData(
                                        List.of(new ProduceRequest.PartitionProduceData().setRecords(records))))));
    }

    private short end(int version, Holder holder, boolean committed) throws IOException {
        EndTxnRequest request = new EndTxnRequest()
                .setTransactionalId(holder.id())
                .setProducerId(holder.producerId())
                .setProducerEpoch(holder.epoch())
                .setCommitted(committed);
        return ((EndTxnResponse) ask(ApiKey.END_TXN, version, request)).errorCode();
    }

    private void addOffsets(int version, Holder holder, String group) throws IOException {
        ask(
                ApiKey.ADD_OFFSETS_TO_TXN,
                version,
                new AddOffsetsToTxnRequest()
                        .setTransactionalId(holder.id())
                        .setProducerId(holder.producerId())
                        .setProducerEpoch(holder.epoch())
                        .setGroupId(group));
    }

    private void commitOffset(int version, Holder holder, String group, String member, int generation)
            throws IOException {
        // One at a time: the order of topics in the answer is nobody's business.
        for (String topic : List.of(TOPIC, "no-such-topic")) {
            TxnOffsetCommitRequest request = new TxnOffsetCommitRequest()
                    .setTransactionalId(holder.id())
                    .setGroupId(group)
                    .setProducerId(holder.producerId())
                    .setProducerEpoch(holder.epoch())
                    .setTopics(List.of(new TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic()
                            .setName(topic)
                            .setPartitions(List.of(new TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition()
                                    .setCommittedOffset(1)
                                    .setCommittedMetadata("here")))));
            if (version >= 3) {
                request.setMemberId(member).setGenerationIdOrMemberEpoch(generation);
            }
            ask(ApiKey.TXN_OFFSET_COMMIT, version, request);
        }
    }

    private void writeMarker(int version, Holder holder, String topic, int coordinatorEpoch) throws IOException {
        ask(
                ApiKey.WRITE_TXN_MARKERS,
                version,
                new WriteTxnMarkersRequest()
                        .setMarkers(List.of(new WriteTxnMarkersRequest.WritableTxnMarker()
                                .setProducerId(holder.producerId())
                                .setProducerEpoch(holder.epoch())
                                .setTransactionResult(false)
                                .setCoordinatorEpoch(coordinatorEpoch)
                                .setTopics(List.of(new WriteTxnMarkersRequest.WritableTxnMarkerTopic()
                                        .setName(topic)
                                        .setPartitionIndexes(List.of(0)))))));
    }

    private void describe(String id) throws IOException {
        ask(ApiKey.DESCRIBE_TRANSACTIONS, 0, new DescribeTransactionsRequest().setTransactionalIds(List.of(id)));
    }

    private void list(String pattern) throws IOException {
        ask(ApiKey.LIST_TRANSACTIONS, 2, new ListTransactionsRequest().setTransactionalIdPattern(pattern));
    }

    private void endAndSettle(Holder holder) throws IOException {
        end(0, holder, false);
        settle(holder.id());
    }

    /** The ends of a transaction are written behind the answer's back. */
    private void settle(String id) {
        await(id + " is at rest").atMost(LIMIT).until(() -> {
            DescribeTransactionsResponse response = (DescribeTransactionsResponse) connection.ask(
                    ApiKey.DESCRIBE_TRANSACTIONS,
                    0,
                    new DescribeTransactionsRequest().setTransactionalIds(List.of(id)));
            return AT_REST.contains(response.transactionStates().get(0).transactionState());
        });
    }

    private ApiMessage ask(ApiKey apiKey, int version, ApiMessage request) throws IOException {
        ApiMessage response = connection.ask(apiKey, version, request);
        answers.add(apiKey + " v" + version + " " + plain(request.toString()) + "\n    " + plain(response.toString()));
        return response;
    }

    private String plain(String text) {
        Matcher ids = PRODUCER_ID.matcher(LEFT_OUT.matcher(text).replaceAll(""));
        return ids.replaceAll(id -> {
            String number = id.group(1);
            return number.equals(Long.toString(UNKNOWN_PRODUCER))
                    ? "producerId=unknown"
                    : "producerId=#" + producerIds.computeIfAbsent(number, none -> producerIds.size());
        });
    }
}
