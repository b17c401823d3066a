package io.tidemark.broker.replication;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.api.ApiHandler;
import io.tidemark.broker.api.DeleteRecordsHandler;
import io.tidemark.broker.api.DescribeLogDirsHandler;
import io.tidemark.broker.api.DescribeProducersHandler;
import io.tidemark.broker.api.FetchHandler;
import io.tidemark.broker.api.ListOffsetsHandler;
import io.tidemark.broker.api.OffsetForLeaderEpochHandler;
import io.tidemark.broker.api.ProduceHandler;
import io.tidemark.broker.api.RequestContext;
import io.tidemark.broker.api.TransactionVerification;
import io.tidemark.broker.api.WriteTxnMarkersHandler;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.disk.DiskFaults;
import io.tidemark.broker.disk.FaultyDisk;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.fetch.FetchSessions;
import io.tidemark.broker.log.LogConfig;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.MessageWriter;
import io.tidemark.broker.protocol.message.AlterPartitionRequest;
import io.tidemark.broker.protocol.message.AlterPartitionResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.protocol.metadata.BrokerRegistrationChangeRecord;
import io.tidemark.broker.protocol.metadata.ConfigRecord;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.RemoveTopicRecord;
import io.tidemark.broker.protocol.metadata.TopicRecord;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.time.Stalls;
import io.tidemark.broker.time.VirtualTime;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import io.tidemark.broker.verification.TransactionVerifier;
import io.tidemark.broker.verification.VerificationSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Brokers that replicate to one another in one thread and in virtual time, under a controller that does as it is told. */
final class FakeCluster {
    static final String LISTENER = "PLAINTEXT";

    private final VirtualTime time = new VirtualTime();
    private final Path folder;
    private final Map<String, String> brokerConfig;
    private final List<ApiMessage> records = new ArrayList<>();
    private final Map<Integer, Node> nodes = new TreeMap<>();
    private final Set<Integer> isolated = new HashSet<>();
    private final Set<Integer> deaf = new HashSet<>();
    private final List<AlterPartitionRequest> isrRequests = new ArrayList<>();
    private MetadataImage image = MetadataImage.EMPTY;
    private boolean isControllerAway;

    FakeCluster(Path folder, Map<String, String> brokerConfig, int brokers) {
        this.folder = folder;
        this.brokerConfig = brokerConfig;
        for (int id = 1; id <= brokers; id++) {
            start(id);
        }
    }

    // --- the controller

    Uuid createTopic(String name, int partitions, List<Integer> replicas, Map<String, String> configs) {
        Uuid topicId = new Uuid(77, records.size() + 1);
        List<ApiMessage> created = new ArrayList<>();
        created.add(new TopicRecord().setName(name).setTopicId(topicId));
        configs.forEach((key, value) -> created.add(new ConfigRecord()
                .setResourceType((byte) 2)
                .setResourceName(name)
                .setName(key)
                .setValue(value)));
        for (int partition = 0; partition < partitions; partition++) {
            created.add(new PartitionRecord()
                    .setTopicId(topicId)
                    .setPartitionId(partition)
                    .setReplicas(replicas)
                    .setDirectories(Collections.nCopies(replicas.size(), new Uuid(0, 1)))
                    .setIsr(replicas)
                    .setLeader(replicas.get(0))
                    .setLeaderEpoch(0)
                    .setPartitionEpoch(0));
        }
        publish(created);
        return topicId;
    }

    void deleteTopic(Uuid topicId) {
        publish(List.of(new RemoveTopicRecord().setTopicId(topicId)));
    }

    void elect(TopicPartition partition, int leader, List<Integer> isr) {
        publish(List.of(change(partition).setLeader(leader).setIsr(isr)));
    }

    void configure(ConfigResource resource, String name, String value) {
        publish(List.of(new ConfigRecord()
                .setResourceType(resource.type())
                .setResourceName(resource.name())
                .setName(name)
                .setValue(value)));
    }

    void fence(int broker, boolean isFenced) {
        publish(List.of(new BrokerRegistrationChangeRecord()
                .setBrokerId(broker)
                .setBrokerEpoch(image.cluster().brokerEpoch(broker))
                .setFenced((byte) (isFenced ? 1 : -1))));
    }

    boolean isUp(int broker) {
        return nodes.containsKey(broker);
    }

    boolean isIsolated(int broker) {
        return isolated.contains(broker);
    }

    boolean isFenced(int broker) {
        return !image.cluster().isAlive(broker);
    }

    PartitionRegistration registration(TopicPartition partition) {
        PartitionRegistration registration = image.topics().partition(partition);
        if (registration == null) {
            throw new AssertionError("There is no partition " + partition);
        }
        return registration;
    }

    private PartitionChangeRecord change(TopicPartition partition) {
        return new PartitionChangeRecord()
                .setTopicId(image.topics().byName().get(partition.topic()).id())
                .setPartitionId(partition.partition());
    }

    private void publish(List<ApiMessage> added) {
        MetadataDelta delta = new MetadataDelta(image);
        for (ApiMessage record : added) {
            delta.replay(records.size(), 1, record);
            records.add(record);
        }
        image = delta.apply();
        nodes.values().forEach(Node::catchUp);
    }

    /** From now on the broker hears no metadata, or hears it again. */
    void deafen(int broker, boolean isDeaf) {
        if (isDeaf) {
            deaf.add(broker);
        } else {
            deaf.remove(broker);
            nodes.values().forEach(Node::catchUp);
        }
    }

    void sendControllerAway(boolean isAway) {
        isControllerAway = isAway;
    }

    List<AlterPartitionRequest> isrRequests() {
        return isrRequests;
    }

    private void alterPartition(Node from, ApiMessage request, Peer.Reply reply) {
        if (isControllerAway) {
            from.loop.schedule(100, () -> reply.onFailure(new IOException("The controller is away")));
            return;
        }
        AlterPartitionRequest alter = (AlterPartitionRequest) request;
        isrRequests.add(alter);
        AlterPartitionResponse response = new AlterPartitionResponse();
        List<ApiMessage> changes = new ArrayList<>();
        for (AlterPartitionRequest.TopicData topic : alter.topics()) {
            AlterPartitionResponse.TopicData answers =
                    new AlterPartitionResponse.TopicData().setTopicId(topic.topicId());
            for (AlterPartitionRequest.PartitionData asked : topic.partitions()) {
                answers.partitions().add(alter(topic.topicId(), asked, changes));
            }
            response.topics().add(answers);
        }
        publish(changes);
        from.loop.execute(() -> reply.onResponse(response));
    }

    private AlterPartitionResponse.PartitionData alter(
            Uuid topicId, AlterPartitionRequest.PartitionData asked, List<ApiMessage> changes) {
        AlterPartitionResponse.PartitionData answer =
                new AlterPartitionResponse.PartitionData().setPartitionIndex(asked.partitionIndex());
        PartitionRegistration known = image.topics().partition(topicId, asked.partitionIndex());
        if (known == null) {
            return answer.setErrorCode(ErrorCode.UNKNOWN_TOPIC_ID.code());
        }
        if (known.leaderEpoch() != asked.leaderEpoch()) {
            return answer.setErrorCode(ErrorCode.FENCED_LEADER_EPOCH.code());
        }
        if (known.partitionEpoch() != asked.partitionEpoch()) {
            return answer.setErrorCode(ErrorCode.INVALID_UPDATE_VERSION.code());
        }
        List<Integer> isr = new ArrayList<>();
        for (AlterPartitionRequest.BrokerState member : asked.newIsrWithEpochs()) {
            if (!image.cluster().isActive(member.brokerId())) {
                return answer.setErrorCode(ErrorCode.INELIGIBLE_REPLICA.code());
            }
            isr.add(member.brokerId());
        }
        changes.add(new PartitionChangeRecord()
                .setTopicId(topicId)
                .setPartitionId(asked.partitionIndex())
                .setIsr(isr));
        return answer.setLeaderId(known.leader())
                .setLeaderEpoch(known.leaderEpoch())
                .setIsr(isr)
                .setPartitionEpoch(known.partitionEpoch() + 1);
    }

    // --- the brokers

    /** Writes one record to partition 0 of a topic by way of a broker, with acks=1. */
    Call<ProduceResponse> produce(int broker, Uuid topicId, byte[] value) {
        ByteBuf batch =
                new RecordBatchBuilder().add(time.wallTimeMs(), null, value).build();
        ProduceRequest request = new ProduceRequest()
                .setAcks((short) 1)
                .setTimeoutMs(1_000)
                .setTopicData(List.of(new ProduceRequest.TopicProduceData()
                        .setTopicId(topicId)
                        .setPartitionData(List.of(new ProduceRequest.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(new BufferRecords(batch))))));
        return node(broker).call(request, 13);
    }

    VirtualTime time() {
        return time;
    }

    Node node(int broker) {
        Node node = nodes.get(broker);
        if (node == null) {
            throw new AssertionError("Broker " + broker + " is down");
        }
        return node;
    }

    /** Starts a broker, or starts it again on its folder. */
    void start(int id) {
        publish(List.of(registration(id)));
        Node node = new Node(id);
        nodes.put(id, node);
        node.catchUp();
        node.partitions.start();
        time.runDue();
    }

    private RegisterBrokerRecord registration(int id) {
        return new RegisterBrokerRecord()
                .setBrokerId(id)
                .setIncarnationId(new Uuid(id, records.size() + 1))
                .setBrokerEpoch(records.size())
                .setEndPoints(new ArrayList<>(List.of(new RegisterBrokerRecord.BrokerEndpoint()
                        .setName(LISTENER)
                        .setHost("broker-" + id)
                        .setPort(id))))
                .setRack("rack-" + id)
                .setFenced(false);
    }

    /** As kill -9: nothing of it runs any more. */
    void kill(int id) {
        Node node = node(id);
        nodes.remove(id);
        deaf.remove(id);
        node.loop.halt();
        node.directory.abandon();
    }

    /** From now on nobody can reach the broker and it can reach nobody, the controller aside; or again. */
    void isolate(int broker, boolean isIsolated) {
        if (isIsolated) {
            isolated.add(broker);
        } else {
            isolated.remove(broker);
        }
    }

    /** One broker. */
    final class Node {
        private final int id;
        private final VirtualTime.VirtualLoop loop = time.newLoop();
        private final DiskFaults faults = new DiskFaults();
        private final FaultyDisk disk = new FaultyDisk(new FileSystemDisk(), faults);
        private final LogDirectory directory;
        private final HostedPartitions partitions;
        private final Map<ApiKey, ApiHandler<?>> handlers = new TreeMap<>();
        private MetadataImage seen = MetadataImage.EMPTY;
        private TransactionVerifier verifier =
                (question, answer) -> answer.accept(TransactionVerifier.everywhere(question, ErrorCode.NONE));

        private Node(int id) {
            this.id = id;
            ConfigValues values = BrokerConfigs.DEFINITION.parse(brokerConfig);
            try {
                directory = LogDirectory.open(disk, folder.resolve("broker-" + id), loop);
                partitions = new HostedPartitions(
                        id,
                        () -> image.cluster().brokerEpoch(id),
                        time,
                        Stalls.NONE,
                        loop,
                        List.of(directory),
                        (host, port, purpose) -> new FakePeer(this, port),
                        (request, timeoutMs, reply) -> alterPartition(this, request, reply),
                        values,
                        LISTENER);
                directory.openPartitions(name -> LogConfig.DEFAULTS, time.wallTimeMs());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            FetchSessions sessions = new FetchSessions(1_000, new SplittableRandom(id));
            add(new FetchHandler(
                    partitions, sessions, ReadReplicas.of(values, partitions::image, time), time, 50_000_000));
            add(new ListOffsetsHandler(partitions));
            add(new OffsetForLeaderEpochHandler(partitions));
            TransactionVerification verification = new TransactionVerification(
                    (question, answer) -> verifier.ask(question, answer), VerificationSettings.of(values), loop, time);
            add(new ProduceHandler(partitions, verification));
            add(new WriteTxnMarkersHandler(
                    partitions, (partition, marker, timeoutMs, done) -> done.accept(ErrorCode.NONE), time, 30_000));
            add(new DeleteRecordsHandler(partitions));
            add(new DescribeProducersHandler(partitions));
            add(new DescribeLogDirsHandler(partitions, List.of(directory)));
        }

        private void add(ApiHandler<?> handler) {
            handlers.put(handler.apiKey(), handler);
        }

        private void catchUp() {
            int from = (int) seen.lastOffset() + 1;
            if (deaf.contains(id) || from >= records.size()) {
                return;
            }
            MetadataDelta delta = new MetadataDelta(seen);
            for (int offset = from; offset < records.size(); offset++) {
                delta.replay(offset, 1, records.get(offset));
            }
            seen = delta.apply();
            MetadataImage newImage = seen;
            loop.execute(() -> partitions.onMetadataUpdate(delta, newImage));
        }

        HostedPartitions partitions() {
            return partitions;
        }

        /** Who answers for the transaction coordinators from now on; until then every transaction is known. */
        void verifier(TransactionVerifier newVerifier) {
            verifier = newVerifier;
        }

        /** What is wrong with its disk; gone with its next life. */
        DiskFaults faults() {
            return faults;
        }

        /** Its folder of a partition. */
        Path folderOf(TopicPartition partition) {
            return directory.path().resolve(partition.toString());
        }

        LogDirectory directory() {
            return directory;
        }

        /** Turns over one bit of a file behind its back. */
        void flipBit(Path file, long bit) throws IOException {
            disk.flipBit(file, bit);
        }

        ReplicaSnapshot replica(TopicPartition partition) {
            ReplicaSnapshot snapshot = partitions.snapshots().get(partition);
            if (snapshot == null) {
                throw new AssertionError("Broker " + id + " has no replica of " + partition);
            }
            return snapshot;
        }

        HostedPartition hosted(TopicPartition partition) {
            HostedPartition hosted = partitions.partition(partition);
            if (hosted == null) {
                throw new AssertionError("Broker " + id + " has no replica of " + partition);
            }
            return hosted;
        }

        /** Sends a request as a client does; the call's response is there when one has come. */
        <R extends ApiMessage> Call<R> call(ApiMessage request, int version) {
            ApiKey key = key(request);
            Call<R> call = new Call<>();
            loop.execute(() -> dispatch(request, key, (short) version, call));
            time.runDue();
            return call;
        }

        private void dispatch(ApiMessage request, ApiKey key, short version, Call<?> call) {
            ApiHandler<?> handler = handlers.get(key);
            if (handler == null) {
                throw new AssertionError("Nobody serves " + key);
            }
            handle(handler, copy(request, key.newRequest(), version), new FakeContext(key, version, call::end));
        }

        @SuppressWarnings("unchecked")
        private <Q extends ApiMessage> void handle(ApiHandler<Q> handler, ApiMessage request, RequestContext context) {
            handler.handle(context, (Q) request);
        }

        void close() throws IOException {
            partitions.close();
            loop.halt();
            nodes.remove(id);
            directory.close(1);
        }
    }

    void close() throws IOException {
        for (Node node : new ArrayList<>(nodes.values())) {
            node.close();
        }
    }

    private static ApiKey key(ApiMessage message) {
        ApiKey key = ApiKey.forId(message.apiKey());
        if (key == null) {
            throw new AssertionError(message + " is no request");
        }
        return key;
    }

    /** Writes and reads a message, as a link does. */
    private static <M extends ApiMessage> M copy(ApiMessage from, M to, short version) {
        MessageWriter writer = new MessageWriter();
        from.write(writer, version);
        ByteBuf bytes = Unpooled.wrappedBuffer(writer.toByteArray());
        to.read(new MessageReader(bytes), version);
        return to;
    }

    /** A request that a test has made. */
    static final class Call<R extends ApiMessage> {
        private @Nullable R response;
        private boolean isEnded;

        boolean isAnswered() {
            return response != null;
        }

        boolean isEnded() {
            return isEnded;
        }

        R response() {
            if (response == null) {
                throw new AssertionError("There is no response yet");
            }
            return response;
        }

        @SuppressWarnings("unchecked")
        private void end(@Nullable ApiMessage given) {
            isEnded = true;
            response = (R) given;
        }
    }

    private static final class FakeContext implements RequestContext {
        private final ApiKey key;
        private final short version;
        private final Consumer<@Nullable ApiMessage> done;
        private boolean isEnded;

        /** Hands over the response, or null where there is none. */
        private FakeContext(ApiKey key, short version, Consumer<@Nullable ApiMessage> done) {
            this.key = key;
            this.version = version;
            this.done = done;
        }

        @Override
        public ApiKey apiKey() {
            return key;
        }

        @Override
        public short apiVersion() {
            return version;
        }

        @Override
        public int correlationId() {
            return 0;
        }

        @Override
        public @Nullable String clientId() {
            return "test";
        }

        @Override
        public String listenerName() {
            return LISTENER;
        }

        @Override
        public @Nullable InetSocketAddress clientAddress() {
            return null;
        }

        @Override
        public boolean isConnectionOpen() {
            return true;
        }

        @Override
        public void respond(ApiMessage response) {
            end(copy(response, key.newResponse(), version));
        }

        @Override
        public void respondNothing() {
            end(null);
        }

        @Override
        public void closeConnection() {
            end(null);
        }

        private void end(@Nullable ApiMessage response) {
            if (isEnded) {
                throw new AssertionError("A request of " + key + " is answered twice");
            }
            isEnded = true;
            done.accept(response);
        }
    }

    /** A link from one broker to another, one request at a time. */
    private final class FakePeer implements Peer {
        private static final long CONNECT_TIMEOUT_MS = 50;

        private final Node from;
        private final int to;
        private int generation;

        private FakePeer(Node from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public void send(ApiMessage request, long timeoutMs, Reply reply) {
            send(request, key(request).maxStableVersion(), timeoutMs, reply);
        }

        @Override
        public void send(ApiMessage request, short version, long timeoutMs, Reply reply) {
            int sentIn = generation;
            Node target = nodes.get(to);
            if (target == null || isolated.contains(to) || isolated.contains(from.id)) {
                from.loop.schedule(CONNECT_TIMEOUT_MS, () -> reply.onFailure(new IOException("No way to " + to)));
                return;
            }
            ApiKey key = key(request);
            RequestContext context = new FakeContext(key, version, answer -> answered(answer, sentIn, reply));
            target.loop.execute(
                    () -> target.handle(serving(target, key), copy(request, key.newRequest(), version), context));
        }

        private ApiHandler<?> serving(Node target, ApiKey key) {
            ApiHandler<?> handler = target.handlers.get(key);
            if (handler == null) {
                throw new AssertionError("Nobody serves " + key);
            }
            return handler;
        }

        private void answered(@Nullable ApiMessage answer, int sentIn, Reply reply) {
            boolean isCut = isolated.contains(to) || isolated.contains(from.id);
            from.loop.execute(() -> {
                if (generation == sentIn && !isCut && answer != null) {
                    reply.onResponse(answer);
                } else {
                    reply.onFailure(new IOException("The link was lost"));
                }
            });
        }

        @Override
        public void close() {
            generation++;
        }
    }
}
