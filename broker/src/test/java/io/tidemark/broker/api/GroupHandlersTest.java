package io.tidemark.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.coordinator.CoordinatorPartition;
import io.tidemark.broker.coordinator.runtime.CoordinatorRuntime;
import io.tidemark.broker.coordinator.runtime.FakeCoordinatorLog;
import io.tidemark.broker.coordinator.runtime.RecordCodec;
import io.tidemark.broker.group.GroupCoordinator;
import io.tidemark.broker.group.GroupRecordTypes;
import io.tidemark.broker.group.GroupSettings;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.protocol.message.DeleteGroupsRequest;
import io.tidemark.broker.protocol.message.DeleteGroupsResponse;
import io.tidemark.broker.protocol.message.DescribeGroupsRequest;
import io.tidemark.broker.protocol.message.DescribeGroupsResponse;
import io.tidemark.broker.protocol.message.FindCoordinatorRequest;
import io.tidemark.broker.protocol.message.FindCoordinatorResponse;
import io.tidemark.broker.protocol.message.HeartbeatRequest;
import io.tidemark.broker.protocol.message.HeartbeatResponse;
import io.tidemark.broker.protocol.message.JoinGroupRequest;
import io.tidemark.broker.protocol.message.JoinGroupResponse;
import io.tidemark.broker.protocol.message.LeaveGroupRequest;
import io.tidemark.broker.protocol.message.LeaveGroupResponse;
import io.tidemark.broker.protocol.message.ListGroupsRequest;
import io.tidemark.broker.protocol.message.ListGroupsResponse;
import io.tidemark.broker.protocol.message.OffsetCommitRequest;
import io.tidemark.broker.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.tidemark.broker.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.tidemark.broker.protocol.message.OffsetCommitResponse;
import io.tidemark.broker.protocol.message.OffsetCommitResponse.OffsetCommitResponsePartition;
import io.tidemark.broker.protocol.message.OffsetDeleteRequest;
import io.tidemark.broker.protocol.message.OffsetDeleteResponse;
import io.tidemark.broker.protocol.message.OffsetFetchRequest;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopic;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.tidemark.broker.protocol.message.OffsetFetchResponse;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.tidemark.broker.protocol.message.SyncGroupRequest;
import io.tidemark.broker.protocol.message.SyncGroupResponse;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.TopicRecord;
import io.tidemark.broker.quorum.ControllerChannel;
import io.tidemark.broker.time.VirtualTime;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupHandlersTest {
    private static final Uuid OFFSETS_ID = new Uuid(9, 9);
    private static final Uuid ORDERS_ID = new Uuid(1, 1);

    private final VirtualTime time = new VirtualTime();
    private final FakeCoordinatorLog log = new FakeCoordinatorLog();
    private final CoordinatorRuntime<GroupCoordinator> runtime = new CoordinatorRuntime<>(
            GroupAccess.OFFSETS_TOPIC,
            partition -> new GroupCoordinator(
                    new GroupSettings(6_000, 1_800_000, 0, 100, 4096, 1_000_000, 600_000), new Random(3)),
            new RecordCodec(GroupRecordTypes.ALL),
            log,
            time.newLoop(),
            time,
            5_000,
            1024);
    private final List<ApiMessage> toController = new ArrayList<>();
    private final List<Peer.Reply> fromController = new ArrayList<>();
    private MetadataImage image = MetadataImage.EMPTY;
    private final GroupAccess groups = new GroupAccess(runtime, () -> image, 1, 5_000);

    @BeforeEach
    void aCoordinatorThatLeads() {
        runtime.start();
        log.lead(1);
        time.runDue();
        image = withOrders(withOffsetsTopic(withBroker(MetadataImage.EMPTY)));
    }

    private static MetadataImage withBroker(MetadataImage base) {
        MetadataDelta delta = new MetadataDelta(base);
        RegisterBrokerRecord broker =
                new RegisterBrokerRecord().setBrokerId(1).setBrokerEpoch(5).setFenced(false);
        broker.endPoints()
                .add(new RegisterBrokerRecord.BrokerEndpoint()
                        .setName("PLAINTEXT")
                        .setHost("broker-one")
                        .setPort(9092));
        delta.replay(1, 1, broker);
        return delta.apply();
    }

    private static MetadataImage withOffsetsTopic(MetadataImage base) {
        return withTopic(base, GroupAccess.OFFSETS_TOPIC, OFFSETS_ID, 1);
    }

    private static MetadataImage withOrders(MetadataImage base) {
        return withTopic(base, "orders", ORDERS_ID, 2);
    }

    private static MetadataImage withTopic(MetadataImage base, String name, Uuid id, int partitions) {
        MetadataDelta delta = new MetadataDelta(base);
        delta.replay(2, 1, new TopicRecord().setName(name).setTopicId(id));
        for (int partition = 0; partition < partitions; partition++) {
            delta.replay(
                    3 + partition,
                    1,
                    new PartitionRecord()
                            .setTopicId(id)
                            .setPartitionId(partition)
                            .setReplicas(List.of(1))
                            .setIsr(List.of(1))
                            .setDirectories(List.of(new Uuid(7, 7)))
                            .setLeader(1));
        }
        return delta.apply();
    }

    // ---- where a group lives

    @Test
    void groupLivesOnThePartitionOfItsHash() {
        assertThat("readers".hashCode()).isEqualTo(1080410128);
        assertThat(CoordinatorPartition.of("readers", 50)).isEqualTo(28);
        assertThat("polygenelubricants".hashCode()).isEqualTo(Integer.MIN_VALUE);
        assertThat(CoordinatorPartition.of("polygenelubricants", 50)).isZero();
    }

    @Test
    void coordinatorIsTheLeaderAtTheListenerThatWasAsked() {
        for (int version = 0; version <= 6; version++) {
            FindCoordinatorResponse response = find(version, (byte) 0, "readers");

            if (version < 4) {
                assertThat(response.errorCode()).isZero();
                assertThat(response.host() + ":" + response.port()).isEqualTo("broker-one:9092");
                assertThat(response.nodeId()).isEqualTo(1);
            } else {
                assertThat(response.coordinators()).hasSize(1);
                assertThat(response.coordinators().get(0).key()).isEqualTo("readers");
                assertThat(response.coordinators().get(0).port()).isEqualTo(9092);
            }
        }
    }

    @Test
    void offsetsTopicIsMadeWhenItIsFirstNeeded() throws Exception {
        image = withBroker(MetadataImage.EMPTY);

        assertThat(find(4, (byte) 0, "readers").coordinators().get(0).errorCode())
                .isEqualTo(ErrorCode.COORDINATOR_NOT_AVAILABLE.code());
        find(4, (byte) 0, "writers");

        assertThat(toController).as("one request under way").hasSize(1);
        CreateTopicsRequest.CreatableTopic topic =
                ((CreateTopicsRequest) toController.get(0)).topics().get(0);
        assertThat(topic.name()).isEqualTo("__consumer_offsets");
        assertThat(topic.numPartitions()).isEqualTo(4);
        assertThat(topic.replicationFactor()).isEqualTo((short) 3);
        assertThat(topic.configs())
                .extracting(config -> config.name() + "=" + config.value())
                .containsExactly("cleanup.policy=compact", "compression.type=producer", "segment.bytes=1048576");

        fromController.get(0).onFailure(new IOException("as the test wished"));
        find(4, (byte) 0, "readers");
        assertThat(toController).as("asked again after a failure").hasSize(2);
        fromController.get(1).onResponse(new CreateTopicsResponse());
    }

    @Test
    void coordinatorWithoutALeaderIsNotAvailable() {
        image = withOffsetsTopic(MetadataImage.EMPTY);

        assertThat(find(3, (byte) 0, "readers").errorCode()).isEqualTo(ErrorCode.COORDINATOR_NOT_AVAILABLE.code());
        assertThat(toController).isEmpty();
    }

    @Test
    void transactionalIdLivesOnATopicOfItsOwn() {
        assertThat(find(4, (byte) 1, "payments").coordinators().get(0).errorCode())
                .as("the topic is being made")
                .isEqualTo(ErrorCode.COORDINATOR_NOT_AVAILABLE.code());
        CreateTopicsRequest.CreatableTopic topic =
                ((CreateTopicsRequest) toController.get(0)).topics().get(0);
        assertThat(topic.name()).isEqualTo("__transaction_state");
        assertThat(topic.configs())
                .extracting(config -> config.name() + "=" + config.value())
                .containsExactly(
                        "cleanup.policy=compact",
                        "compression.type=uncompressed",
                        "min.insync.replicas=2",
                        "segment.bytes=1048576",
                        "unclean.leader.election.enable=false");

        image = withTopic(image, "__transaction_state", new Uuid(8, 8), 1);
        assertThat(find(4, (byte) 1, "payments").coordinators().get(0).port()).isEqualTo(9092);
    }

    @Test
    void shareGroupIsRefusedForGood() {
        FindCoordinatorResponse response = find(6, (byte) 2, "shared");

        assertThat(response.coordinators().get(0).errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
        assertThat(response.coordinators().get(0).errorMessage()).contains("key type [2]");
    }

    private FindCoordinatorResponse find(int version, byte keyType, String key) {
        FindCoordinatorRequest request = new FindCoordinatorRequest().setKeyType(keyType);
        if (version >= 4) {
            request.coordinatorKeys().add(key);
        } else {
            request.setKey(key);
        }
        return RecordedRequest.serve(new FindCoordinatorHandler(groups, id -> 0, internalTopics), version, request)
                .response(FindCoordinatorResponse.class);
    }

    private final ControllerChannel controller = new ControllerChannel() {
        @Override
        public void send(ApiMessage request, long timeoutMs, Peer.Reply reply) {
            toController.add(request);
            fromController.add(reply);
        }

        @Override
        public void send(ApiMessage request, short version, long timeoutMs, Peer.Reply reply) {
            send(request, timeoutMs, reply);
        }
    };
    private final InternalTopics internalTopics = new InternalTopics(
            controller,
            Map.of(
                    GroupAccess.OFFSETS_TOPIC,
                    InternalTopics.Layout.compacted(4, (short) 3, 1_048_576),
                    TransactionAccess.TRANSACTIONS_TOPIC,
                    InternalTopics.Layout.compactedSafely(4, (short) 3, 1_048_576, 2)),
            1_000);

    // ---- membership, over all versions

    @Test
    void memberJoinsSyncsHeartbeatsAndLeavesInEveryVersion() {
        for (int version = 0; version <= 9; version++) {
            String group = "group-" + version;
            JoinGroupResponse joined = join(group, version);
            assertThat(joined.errorCode()).isZero();
            assertThat(joined.protocolName()).isEqualTo("range");
            assertThat(joined.members()).hasSize(1);

            SyncGroupResponse synced = sync(group, joined, Math.min(version, 5));
            assertThat(synced.errorCode()).isZero();
            assertThat(synced.assignment()).containsExactly(1, 2, 3);

            HeartbeatRequest heartbeat = new HeartbeatRequest()
                    .setGroupId(group)
                    .setMemberId(joined.memberId())
                    .setGenerationId(1);
            assertThat(RecordedRequest.serve(new HeartbeatHandler(groups), Math.min(version, 4), heartbeat)
                            .response(HeartbeatResponse.class)
                            .errorCode())
                    .isZero();

            assertThat(leave(group, joined.memberId(), Math.min(version, 5)).errorCode())
                    .isZero();
        }
    }

    private JoinGroupResponse join(String group, int version) {
        JoinGroupRequest request = joinRequest(group);
        RecordedRequest first = RecordedRequest.serve(new JoinGroupHandler(groups), version, request);
        log.commitAll();
        if (version >= 4) {
            JoinGroupResponse refused = first.response(JoinGroupResponse.class);
            assertThat(refused.errorCode()).isEqualTo(ErrorCode.MEMBER_ID_REQUIRED.code());
            first = RecordedRequest.serve(
                    new JoinGroupHandler(groups), version, request.setMemberId(refused.memberId()));
        }
        time.runDue();
        log.commitAll();
        return first.response(JoinGroupResponse.class);
    }

    private static JoinGroupRequest joinRequest(String group) {
        JoinGroupRequest request = new JoinGroupRequest()
                .setGroupId(group)
                .setProtocolType("consumer")
                .setSessionTimeoutMs(10_000);
        request.protocols()
                .add(new JoinGroupRequest.JoinGroupRequestProtocol()
                        .setName("range")
                        .setMetadata(new byte[0]));
        return request;
    }

    private SyncGroupResponse sync(String group, JoinGroupResponse joined, int version) {
        SyncGroupRequest request = new SyncGroupRequest()
                .setGroupId(group)
                .setMemberId(joined.memberId())
                .setGenerationId(joined.generationId())
                .setProtocolType("consumer")
                .setProtocolName("range");
        request.assignments()
                .add(new SyncGroupRequest.SyncGroupRequestAssignment()
                        .setMemberId(joined.memberId())
                        .setAssignment(new byte[] {1, 2, 3}));
        RecordedRequest synced = RecordedRequest.serve(new SyncGroupHandler(groups), version, request);
        assertThat(synced.isAnswered())
                .as("the assignment is not committed yet")
                .isFalse();
        log.commitAll();
        return synced.response(SyncGroupResponse.class);
    }

    private LeaveGroupResponse leave(String group, String memberId, int version) {
        LeaveGroupRequest request = new LeaveGroupRequest().setGroupId(group);
        if (version >= 3) {
            request.members().add(new LeaveGroupRequest.MemberIdentity().setMemberId(memberId));
        } else {
            request.setMemberId(memberId);
        }
        RecordedRequest left = RecordedRequest.serve(new LeaveGroupHandler(groups), version, request);
        log.commitAll();
        return left.response(LeaveGroupResponse.class);
    }

    @Test
    void olderLeaveHasItsErrorAtTheTop() {
        assertThat(leave("readers", "nobody", 2).errorCode()).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID.code());
        LeaveGroupResponse newer = leave("readers", "nobody", 5);
        assertThat(newer.errorCode()).isZero();
        assertThat(newer.members().get(0).errorCode()).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID.code());
    }

    @Test
    void groupWithoutANameIsRefused() {
        assertThat(RecordedRequest.serve(new JoinGroupHandler(groups), 9, joinRequest(""))
                        .response(JoinGroupResponse.class)
                        .errorCode())
                .isEqualTo(ErrorCode.INVALID_GROUP_ID.code());
    }

    @Test
    void syncMustSayItsProtocol() {
        SyncGroupRequest request = new SyncGroupRequest().setGroupId("readers").setMemberId("m");

        assertThat(RecordedRequest.serve(new SyncGroupHandler(groups), 5, request)
                        .response(SyncGroupResponse.class)
                        .errorCode())
                .isEqualTo(ErrorCode.INCONSISTENT_GROUP_PROTOCOL.code());
    }

    @Test
    void everythingIsSentElsewhereWhenThisNodeDoesNotCoordinate() {
        log.lose();

        assertThat(RecordedRequest.serve(new JoinGroupHandler(groups), 9, joinRequest("readers"))
                        .response(JoinGroupResponse.class)
                        .errorCode())
                .isEqualTo(ErrorCode.NOT_COORDINATOR.code());
        assertThat(commitErrors(9, commitRequest("orders", ORDERS_ID, 0, 7))).containsExactly(16);
        assertThat(fetchGroup(9).errorCode()).isEqualTo(ErrorCode.NOT_COORDINATOR.code());
        assertThat(RecordedRequest.serve(
                                new DescribeGroupsHandler(groups),
                                6,
                                new DescribeGroupsRequest().setGroups(List.of("readers")))
                        .response(DescribeGroupsResponse.class)
                        .groups()
                        .get(0)
                        .errorCode())
                .isEqualTo(ErrorCode.NOT_COORDINATOR.code());
    }

    @Test
    void whoWaitsToJoinIsSentElsewhereWhenLeadershipIsLost() {
        join("readers", 3);
        RecordedRequest waiting = RecordedRequest.serve(new JoinGroupHandler(groups), 3, joinRequest("readers"));
        assertThat(waiting.isAnswered()).isFalse();

        log.lose();

        assertThat(waiting.response(JoinGroupResponse.class).errorCode()).isEqualTo(ErrorCode.NOT_COORDINATOR.code());
    }

    // ---- offsets

    @Test
    void offsetsAreCommittedAndFetchedInEveryVersion() {
        for (int version = 2; version <= 10; version++) {
            assertThat(commitErrors(version, commitRequest("orders", ORDERS_ID, 0, 100 + version)))
                    .containsExactly(0);
            for (int fetchVersion = 1; fetchVersion <= 10; fetchVersion++) {
                assertThat(fetchedOffset(fetchVersion)).isEqualTo(100 + version);
            }
        }
    }

    @Test
    void commitToAPartitionThatIsNotThereFailsAlone() {
        OffsetCommitRequest request = commitRequest("orders", ORDERS_ID, 0, 7);
        request.topics().get(0).partitions().add(new OffsetCommitRequestPartition().setPartitionIndex(2));
        request.topics().addAll(commitRequest("nowhere", new Uuid(4, 4), 0, 7).topics());

        assertThat(commitErrors(9, request)).containsExactly(0, 3, 3);
        assertThat(commitErrors(10, request)).containsExactly(0, 3, 100);
    }

    @Test
    void commitThatIsNotReplicatedInTimeIsNotAvailable() {
        RecordedRequest commit =
                RecordedRequest.serve(new OffsetCommitHandler(groups), 9, commitRequest("orders", ORDERS_ID, 0, 7));
        assertThat(commit.isAnswered()).isFalse();

        time.runFor(5_000);

        assertThat(errors(commit)).containsExactly((int) ErrorCode.COORDINATOR_NOT_AVAILABLE.code());
    }

    @Test
    void fetchOfAnUnknownTopicIdSaysSo() {
        OffsetFetchRequest request = new OffsetFetchRequest();
        request.groups()
                .add(new OffsetFetchRequestGroup()
                        .setGroupId("readers")
                        .setTopics(List.of(new OffsetFetchRequestTopics()
                                .setTopicId(new Uuid(4, 4))
                                .setPartitionIndexes(List.of(0)))));

        OffsetFetchResponseGroup group = RecordedRequest.serve(new OffsetFetchHandler(groups), 10, request)
                .response(OffsetFetchResponse.class)
                .groups()
                .get(0);

        assertThat(group.topics().get(0).partitions().get(0).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
    }

    @Test
    void stableFetchWaitsForTheCommitBeforeIt() {
        RecordedRequest.serve(new OffsetCommitHandler(groups), 9, commitRequest("orders", ORDERS_ID, 0, 7));

        RecordedRequest loose = RecordedRequest.serve(new OffsetFetchHandler(groups), 9, fetchRequest(9, false));
        RecordedRequest stable = RecordedRequest.serve(new OffsetFetchHandler(groups), 9, fetchRequest(9, true));

        assertThat(offset(loose)).isEqualTo(-1);
        assertThat(stable.isAnswered()).isFalse();
        log.commitAll();
        assertThat(offset(stable)).isEqualTo(7);
    }

    @Test
    void errorOfAGroupIsWhereItsVersionHasIt() {
        log.lose();

        for (int version = 1; version <= 7; version++) {
            OffsetFetchResponse response = RecordedRequest.serve(
                            new OffsetFetchHandler(groups), version, fetchRequest(version, false))
                    .response(OffsetFetchResponse.class);
            if (version == 1) {
                assertThat(response.topics().get(0).partitions().get(0).errorCode())
                        .isEqualTo(ErrorCode.NOT_COORDINATOR.code());
            } else {
                assertThat(response.errorCode()).isEqualTo(ErrorCode.NOT_COORDINATOR.code());
            }
        }
    }

    @Test
    void allOffsetsAreFetchedWhereNoTopicsAreNamed() {
        commitErrors(9, commitRequest("orders", ORDERS_ID, 0, 7));

        for (int version : new int[] {2, 7, 8, 9, 10}) {
            OffsetFetchRequest request = new OffsetFetchRequest();
            if (version < 8) {
                request.setGroupId("readers").setTopics(null);
            } else {
                request.groups()
                        .add(new OffsetFetchRequestGroup().setGroupId("readers").setTopics(null));
            }
            OffsetFetchResponse response = RecordedRequest.serve(new OffsetFetchHandler(groups), version, request)
                    .response(OffsetFetchResponse.class);
            if (version < 8) {
                assertThat(response.topics()).hasSize(1);
            } else {
                assertThat(response.groups().get(0).topics()).hasSize(1);
                assertThat(response.groups().get(0).topics().get(0).topicId())
                        .isEqualTo(version < 10 ? Uuid.ZERO : ORDERS_ID);
            }
        }
    }

    @Test
    void offsetsGoWithTheirTopic() {
        commitErrors(9, commitRequest("orders", ORDERS_ID, 0, 7));
        MetadataDelta delta = new MetadataDelta(image);
        delta.replay(50, 1, new io.tidemark.broker.protocol.metadata.RemoveTopicRecord().setTopicId(ORDERS_ID));

        new DeletedTopicOffsets(groups).onMetadataUpdate(delta, delta.apply());
        log.commitAll();

        assertThat(fetchedOffset(9)).isEqualTo(-1);
    }

    @Test
    void offsetsAreDeletedInTopicsThatAreThere() {
        commitErrors(9, commitRequest("orders", ORDERS_ID, 0, 7));
        OffsetDeleteRequest request = new OffsetDeleteRequest().setGroupId("readers");
        for (String topic : List.of("orders", "nowhere")) {
            request.topics()
                    .add(new OffsetDeleteRequest.OffsetDeleteRequestTopic()
                            .setName(topic)
                            .setPartitions(List.of(
                                    new OffsetDeleteRequest.OffsetDeleteRequestPartition().setPartitionIndex(0))));
        }

        RecordedRequest deleted = RecordedRequest.serve(new OffsetDeleteHandler(groups), 0, request);
        log.commitAll();

        assertThat(deleted.response(OffsetDeleteResponse.class).topics())
                .extracting(topic -> topic.partitions().get(0).errorCode())
                .containsExactly(ErrorCode.NONE.code(), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(fetchedOffset(9)).isEqualTo(-1);
    }

    // ---- groups

    @Test
    void groupsAreListedDescribedAndDeletedInEveryVersion() {
        commitErrors(9, commitRequest("orders", ORDERS_ID, 0, 7));
        for (int version = 0; version <= 5; version++) {
            assertThat(RecordedRequest.serve(new ListGroupsHandler(groups), version, new ListGroupsRequest())
                            .response(ListGroupsResponse.class)
                            .groups())
                    .extracting(ListGroupsResponse.ListedGroup::groupId)
                    .containsExactly("readers");
        }
        for (int version = 0; version <= 6; version++) {
            DescribeGroupsResponse described = RecordedRequest.serve(
                            new DescribeGroupsHandler(groups),
                            version,
                            new DescribeGroupsRequest().setGroups(List.of("readers", "strangers")))
                    .response(DescribeGroupsResponse.class);
            assertThat(described.groups())
                    .extracting(DescribeGroupsResponse.DescribedGroup::groupState)
                    .containsExactly("Empty", "Dead");
        }
        RecordedRequest deleted = RecordedRequest.serve(
                new DeleteGroupsHandler(groups),
                2,
                new DeleteGroupsRequest().setGroupsNames(List.of("readers", "strangers")));
        log.commitAll();
        assertThat(deleted.response(DeleteGroupsResponse.class).results())
                .extracting(DeleteGroupsResponse.DeletableGroupResult::errorCode)
                .containsExactly(ErrorCode.NONE.code(), ErrorCode.GROUP_ID_NOT_FOUND.code());
    }

    // ---- words

    private static OffsetCommitRequest commitRequest(String topic, Uuid topicId, int partition, long offset) {
        OffsetCommitRequestTopic commits =
                new OffsetCommitRequestTopic().setName(topic).setTopicId(topicId);
        commits.partitions()
                .add(new OffsetCommitRequestPartition()
                        .setPartitionIndex(partition)
                        .setCommittedOffset(offset)
                        .setCommittedMetadata("note"));
        OffsetCommitRequest request = new OffsetCommitRequest().setGroupId("readers");
        request.topics().add(commits);
        return request;
    }

    private List<Integer> commitErrors(int version, OffsetCommitRequest request) {
        RecordedRequest commit = RecordedRequest.serve(new OffsetCommitHandler(groups), version, request);
        log.commitAll();
        return errors(commit);
    }

    private static List<Integer> errors(RecordedRequest commit) {
        return commit.response(OffsetCommitResponse.class).topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .map(OffsetCommitResponsePartition::errorCode)
                .map(Short::intValue)
                .toList();
    }

    private static OffsetFetchRequest fetchRequest(int version, boolean requireStable) {
        OffsetFetchRequest request = new OffsetFetchRequest().setRequireStable(requireStable);
        if (version < 8) {
            request.setGroupId("readers")
                    .setTopics(List.of(
                            new OffsetFetchRequestTopic().setName("orders").setPartitionIndexes(List.of(0))));
        } else {
            request.groups()
                    .add(new OffsetFetchRequestGroup()
                            .setGroupId("readers")
                            .setTopics(List.of(new OffsetFetchRequestTopics()
                                    .setName("orders")
                                    .setTopicId(ORDERS_ID)
                                    .setPartitionIndexes(List.of(0)))));
        }
        return request;
    }

    private OffsetFetchResponseGroup fetchGroup(int version) {
        return RecordedRequest.serve(new OffsetFetchHandler(groups), version, fetchRequest(version, false))
                .response(OffsetFetchResponse.class)
                .groups()
                .get(0);
    }

    private static long offset(RecordedRequest fetch) {
        return fetch.response(OffsetFetchResponse.class)
                .groups()
                .get(0)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .committedOffset();
    }

    private long fetchedOffset(int version) {
        RecordedRequest fetch =
                RecordedRequest.serve(new OffsetFetchHandler(groups), version, fetchRequest(version, false));
        return version >= 8
                ? offset(fetch)
                : fetch.response(OffsetFetchResponse.class)
                        .topics()
                        .get(0)
                        .partitions()
                        .get(0)
                        .committedOffset();
    }
}
