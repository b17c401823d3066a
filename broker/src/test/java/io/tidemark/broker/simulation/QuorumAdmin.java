package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddRaftVoterRequest;
import io.tidemark.broker.protocol.message.AddRaftVoterResponse;
import io.tidemark.broker.protocol.message.DescribeQuorumRequest;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse.PartitionData;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse.ReplicaState;
import io.tidemark.broker.protocol.message.RemoveRaftVoterRequest;
import io.tidemark.broker.protocol.message.RemoveRaftVoterResponse;
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest;
import io.tidemark.broker.protocol.message.UpdateFeaturesResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Raises kraft.version to 1, and then gives controllers a vote and takes it from others, as the quorum describes itself
 * at the time (KIP-853). At times it asks for two changes at once, or says of a voter that it is reached where it is
 * not, so that the voter has to set that right.
 *
 * <p>It takes no vote from one of two: where that is the leader, and gives up before the other has heard of it, Kafka
 * waits for an operator, for the leader has no vote by its own log and the other's log is behind. Nor does it give a lone
 * voter a second: where the first dies before the second has heard of it, the second follows it by its own log, having
 * fetched from it, and refuses the pre-vote of its next life (KIP-996).
 */
final class QuorumAdmin extends Client {
    private static final int WRONG_PORT = 9_099;
    private static final byte UPGRADE = 1;
    private static final long SETTLED_US = 6 * World.SECOND;
    private static final Set<ErrorCode> REFUSALS = Set.of(
            ErrorCode.NOT_LEADER_OR_FOLLOWER,
            ErrorCode.NOT_CONTROLLER,
            ErrorCode.REQUEST_TIMED_OUT,
            ErrorCode.DUPLICATE_VOTER,
            ErrorCode.VOTER_NOT_FOUND,
            ErrorCode.UNSUPPORTED_VERSION,
            ErrorCode.INVALID_REQUEST);

    private long removedUs = -1;
    private boolean isWrong;

    QuorumAdmin(World world, Oracle oracle, Machine machine, int brokers) {
        super(world, oracle, machine, brokers);
    }

    @Override
    void start() {
        loop.execute(this::upgrade);
    }

    private void upgrade() {
        UpdateFeaturesRequest request = new UpdateFeaturesRequest().setTimeoutMs(2_000);
        request.featureUpdates()
                .add(new UpdateFeaturesRequest.FeatureUpdateKey()
                        .setFeature("kraft.version")
                        .setMaxVersionLevel((short) 1)
                        .setUpgradeType(UPGRADE));
        Runnable again = () -> later(200, this::upgrade);
        send(
                anyBroker(),
                request,
                -1,
                response -> {
                    if (((UpdateFeaturesResponse) response).errorCode() != 0) {
                        again.run();
                    }
                },
                again);
    }

    /**
     * Has one voter added or removed, or two: by a broker, or by a controller, which may be one that leads and has lost
     * the others, or no more.
     *
     * @param controller the one to ask, 0 for any road
     */
    void change(int controller) {
        loop.execute(() -> {
            List<Integer> controllers = oracle.controllerIds();
            Road road = controller > 0
                    ? byController(controller)
                    : random.nextInt(2) == 0
                            ? this::sendToAnyBroker
                            : byController(controllers.get(random.nextInt(controllers.size())));
            describe(road, quorum -> {
                change(road, quorum);
                if (random.nextInt(5) == 0) {
                    change(road, quorum);
                }
            });
        });
    }

    /** How a request gets to the quorum's leader. */
    private interface Road {
        void send(ApiMessage request, Consumer<ApiMessage> onResponse, Runnable onFailure);
    }

    private void sendToAnyBroker(ApiMessage request, Consumer<ApiMessage> onResponse, Runnable onFailure) {
        send(anyBroker(), request, -1, onResponse, onFailure);
    }

    private Road byController(int id) {
        return (request, onResponse, onFailure) -> sendToController(id, request, onResponse, onFailure);
    }

    /** The last removal may still be under way somewhere, and come when there are fewer voters than this one counts. */
    private boolean mayRemove(int voters) {
        return voters > 2 && !isWrong && (removedUs < 0 || world.nowUs() - removedUs > SETTLED_US);
    }

    private void describe(Road road, Consumer<PartitionData> then) {
        DescribeQuorumRequest request = new DescribeQuorumRequest();
        DescribeQuorumRequest.TopicData topic =
                new DescribeQuorumRequest.TopicData().setTopicName("__cluster_metadata");
        topic.partitions().add(new DescribeQuorumRequest.PartitionData().setPartitionIndex(0));
        request.topics().add(topic);
        road.send(
                request,
                response -> {
                    List<DescribeQuorumResponse.TopicData> topics = ((DescribeQuorumResponse) response).topics();
                    if (!topics.isEmpty()
                            && topics.get(0).partitions().get(0).errorCode() == 0
                            && !topics.get(0)
                                    .partitions()
                                    .get(0)
                                    .currentVoters()
                                    .isEmpty()) {
                        then.accept(topics.get(0).partitions().get(0));
                    }
                },
                () -> {});
    }

    private void change(Road road, PartitionData quorum) {
        List<ReplicaState> observers = new ArrayList<>(quorum.observers());
        observers.removeIf(observer -> !oracle.controllerIds().contains(observer.replicaId()));
        int voters = quorum.currentVoters().size();
        if (voters < 2) {
            return;
        }
        boolean isAddition = !observers.isEmpty() && random.nextInt(100) < 55;
        if (isAddition) {
            add(road, observers.get(random.nextInt(observers.size())), voters);
        } else if (!mayRemove(voters)) {
            return;
        } else if (random.nextInt(3) == 0) {
            quorum.currentVoters().stream()
                    .filter(voter -> voter.replicaId() == quorum.leaderId())
                    .forEach(leader -> remove(road, leader));
        } else {
            remove(road, quorum.currentVoters().get(random.nextInt(voters)));
        }
    }

    /** Only once, and where the others are a majority without this one, as they cannot ask it for its vote. */
    private boolean mayBeWrong(int voters) {
        return !isWrong && voters > 2 && random.nextInt(3) == 0;
    }

    private void add(Road road, ReplicaState observer, int voters) {
        boolean isWrongNow = mayBeWrong(voters);
        isWrong |= isWrongNow;
        int id = observer.replicaId();
        AddRaftVoterRequest request = new AddRaftVoterRequest()
                .setClusterId(Cluster.CLUSTER_ID)
                .setTimeoutMs(2_000)
                .setVoterId(id)
                .setVoterDirectoryId(observer.replicaDirectoryId());
        request.listeners()
                .add(new AddRaftVoterRequest.Listener()
                        .setName("CONTROLLER")
                        .setHost(Wires.hostOf(id))
                        .setPort(isWrongNow ? WRONG_PORT : Cluster.CONTROLLER_PORT));
        request(road, id, true, request);
    }

    private void remove(Road road, ReplicaState voter) {
        removedUs = world.nowUs();
        request(
                road,
                voter.replicaId(),
                false,
                new RemoveRaftVoterRequest()
                        .setClusterId(Cluster.CLUSTER_ID)
                        .setVoterId(voter.replicaId())
                        .setVoterDirectoryId(voter.replicaDirectoryId()));
    }

    private void request(Road road, int voter, boolean isAddition, ApiMessage request) {
        String what = (isAddition ? "VOTER " : "NO VOTER ") + voter;
        world.trace().note(world.nowUs(), machine.id(), what, 0, 0);
        road.send(
                request,
                response -> {
                    ErrorCode error = ErrorCode.forCode(
                            response instanceof AddRaftVoterResponse added
                                    ? added.errorCode()
                                    : ((RemoveRaftVoterResponse) response).errorCode());
                    world.trace().note(world.nowUs(), machine.id(), what + ": " + error, 0, 0);
                    if (!isAddition) {
                        removedUs = -1;
                    }
                    if (error == ErrorCode.NONE) {
                        oracle.quorum().voters().onAnswered(voter, isAddition);
                    } else if (!REFUSALS.contains(error)
                            && !(error == ErrorCode.UNKNOWN_SERVER_ERROR && oracle.hasAnyDiskFailed())) {
                        oracle.onUnexpected(machine.id(), what + " is answered " + error);
                    }
                },
                () -> {});
    }
}
