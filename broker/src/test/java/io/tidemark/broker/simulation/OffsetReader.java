package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.OffsetFetchRequest;
import io.tidemark.broker.protocol.message.OffsetFetchResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks over and over how far the group of a transactional id has come, half of the time for what is stable; and as soon
 * as offsets are committed, as one does who takes over.
 */
final class OffsetReader extends CoordinatorClient {
    private static final int VERSION = 9;

    private final TransactionOracle judge;
    private final TransactionalId id;
    private final String topic;
    private long seen = -1;

    OffsetReader(
            World world,
            Oracle oracle,
            TransactionOracle judge,
            Machine machine,
            int brokers,
            TransactionalId id,
            String topic) {
        super(world, oracle, machine, brokers);
        this.judge = judge;
        this.id = id;
        this.topic = topic;
    }

    @Override
    void start() {
        id.whenCommitted(() -> later(random.nextLong(0, 4), () -> poll(true, () -> {})));
        loop.execute(this::poll);
    }

    /** The offset that it was shown last, -1 for none. */
    long seen() {
        return seen;
    }

    private void poll() {
        poll(random.nextBoolean(), () -> later(random.nextLong(5, 200), this::poll));
    }

    private void poll(boolean isStable, Runnable then) {
        OffsetFetchRequest request = new OffsetFetchRequest()
                .setRequireStable(isStable)
                .setGroups(new ArrayList<>(List.of(new OffsetFetchRequest.OffsetFetchRequestGroup()
                        .setGroupId(id.group())
                        .setMemberId(null)
                        .setMemberEpoch(-1)
                        .setTopics(new ArrayList<>(List.of(new OffsetFetchRequest.OffsetFetchRequestTopics()
                                .setName(topic)
                                .setPartitionIndexes(new ArrayList<>(List.of(0)))))))));
        long[] least = {-1};
        Question question = new Question(
                KeyType.GROUP,
                id.group(),
                VERSION,
                () -> {
                    least[0] = judge.acknowledgedOffset(id.group());
                    return request;
                },
                response -> ErrorCode.forCode(
                        ((OffsetFetchResponse) response).groups().get(0).errorCode()),
                world.nowUs());
        ask(question, (error, response) -> {
            if (error == ErrorCode.NONE) {
                // One that was deposed and has not heard of it may know less.
                long known = judge.isCoordinator(question.sentTo, id.group()) ? least[0] : -1;
                take(((OffsetFetchResponse) response).groups().get(0), isStable, known);
            } else {
                judge.onUnexpected(machine.id(), "an OffsetFetch is answered " + error);
            }
            then.run();
        });
    }

    private void take(OffsetFetchResponse.OffsetFetchResponseGroup group, boolean isStable, long least) {
        OffsetFetchResponse.OffsetFetchResponsePartitions partition =
                group.topics().get(0).partitions().get(0);
        ErrorCode error = ErrorCode.forCode(partition.errorCode());
        switch (error) {
            case NONE -> {
                judge.onOffset(machine.id(), id, partition.committedOffset(), isStable, least);
                seen = partition.committedOffset();
            }
            case UNSTABLE_OFFSET_COMMIT -> {
                if (!isStable) {
                    judge.onUnexpected(machine.id(), "[INV-52] An OffsetFetch of what there is gets " + error);
                }
            }
            case UNKNOWN_TOPIC_OR_PARTITION -> {}
            default -> judge.onUnexpected(machine.id(), "an OffsetFetch is answered " + error);
        }
    }
}
