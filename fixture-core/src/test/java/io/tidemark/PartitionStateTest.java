package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ReplicaState.ReplicaLog;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PartitionStateTest {
    @Test
    void theHighWatermarkIsTheLeaders() {
        PartitionState state = state(2, 1, new ReplicaLog(true, 1, 0, 5, 4, 4), new ReplicaLog(false, 1, 0, 5, 3, 3));

        assertThat(state.highWatermark()).hasValue(4);
    }

    @Test
    void aLeaderThatActsUnderAnOlderEpochHasNotTakenOffice() {
        PartitionState state = state(2, 1, new ReplicaLog(true, 0, 0, 5, 4, 4), new ReplicaLog(false, 1, 0, 5, 3, 3));

        assertThat(state.highWatermark()).isEmpty();
        assertThat(state.logStartOffset()).isEmpty();
    }

    @Test
    void aDownBrokerHasNoLogEndOffset() {
        PartitionState state = state(2, 1, new ReplicaLog(true, 1, 0, 5, 4, 4), new ReplicaLog(false, 1, 0, 5, 3, 3));

        assertThat(state.logEndOffset(1)).isEmpty();
        assertThat(state.logEndOffset(3)).hasValue(5);
    }

    @Test
    void showsEveryReplica() {
        PartitionState state = state(2, 1, new ReplicaLog(true, 1, 0, 5, 4, 4), new ReplicaLog(false, 1, 2, 5, 3, 3));

        assertThat(state.toString()).isEqualTo("""
                orders-0: leader 2, leader epoch 1, ISR [2, 3], replicas [1, 2, 3], partition epoch 6
                  broker 1  killed
                  broker 2  leader    epoch 1  log 0..5  high watermark 4
                  broker 3  follower  epoch 1  log 2..5  high watermark 3""");
    }

    private static PartitionState state(int leader, int leaderEpoch, ReplicaLog second, ReplicaLog third) {
        return new PartitionState(
                "orders",
                0,
                "id",
                OptionalInt.of(leader),
                leaderEpoch,
                6,
                List.of(3, 2),
                List.of(),
                List.of(
                        new ReplicaState(1, NodeState.KILLED, null),
                        new ReplicaState(2, NodeState.RUNNING, second),
                        new ReplicaState(3, NodeState.RUNNING, third)),
                false,
                40,
                99);
    }
}
