package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.BrokerHeartbeatRequest;
import io.tidemark.broker.protocol.message.UnregisterBrokerRequest;
import io.tidemark.broker.protocol.message.UnregisterBrokerResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

class BrokerUnregistrationTest {
    private final ControllerFixture fixture = new ControllerFixture().withBrokers(3);

    private ErrorCode unregister(int brokerId) {
        UnregisterBrokerResponse response = fixture.commit(
                fixture.controller.unregisterBroker(new UnregisterBrokerRequest().setBrokerId(brokerId)));
        return ErrorCode.forCode(response.errorCode());
    }

    @Test
    void aBrokerIsForgottenAndLeadsNothing() {
        fixture.create(assigned("orders", List.of(1, 2, 3)));

        assertThat(unregister(1)).isEqualTo(ErrorCode.NONE);

        assertThat(fixture.image().cluster().brokers()).containsOnlyKeys(2, 3);
        assertThat(fixture.partition("orders").leader()).isEqualTo(2);
        assertThat(fixture.partition("orders").isr()).containsExactly(2, 3);
        assertThat(fixture.partition("orders").replicas()).containsExactly(1, 2, 3);
    }

    @Test
    void whatItHeldIsNotCountedOnAnyMore() {
        fixture.create(assigned("orders", List.of(1, 2), "min.insync.replicas", "2"));
        fixture.loseAllBut(2, 3);
        assertThat(fixture.partition("orders").elr()).containsExactly(1);

        assertThat(unregister(1)).isEqualTo(ErrorCode.NONE);

        assertThat(fixture.partition("orders").elr()).isEmpty();
    }

    @Test
    void aBrokerThatIsNotRegisteredCannotBe() {
        assertThat(unregister(9)).isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED);
    }

    @Test
    void aForgottenBrokerThatStillRunsIsTold() {
        long epoch = fixture.image().cluster().brokerEpoch(1);
        unregister(1);

        assertThat(fixture.commit(fixture.controller.heartbeat(
                                new BrokerHeartbeatRequest().setBrokerId(1).setBrokerEpoch(epoch), fixture.nowMs))
                        .errorCode())
                .isEqualTo(ErrorCode.STALE_BROKER_EPOCH.code());
    }
}
