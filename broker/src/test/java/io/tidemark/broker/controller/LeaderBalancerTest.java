package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Broker 1 is the preferred leader, was lost, and has come back into the ISR. The check is every 60 seconds. */
class LeaderBalancerTest {
    private static final long INTERVAL_MS = 60_000;

    private static ControllerFixture unbalanced(Map<String, String> configs) {
        ControllerFixture fixture = new ControllerFixture(configs).withBrokers(3);
        fixture.create(assigned("orders", List.of(1, 2, 3)));
        fixture.loseAllBut(2, 3);
        fixture.startBroker(1, -1);
        fixture.proposeIsr("orders", 2, List.of(1, 2, 3));
        assertThat(fixture.partition("orders").leader()).isEqualTo(2);
        return fixture;
    }

    private static ControllerFixture unbalanced() {
        return unbalanced(Map.of("leader.imbalance.check.interval.seconds", "60"));
    }

    private static void balanceAt(ControllerFixture fixture, long nowMs) {
        fixture.append(fixture.controller.balanceLeaders(nowMs));
    }

    @Test
    void theLeadershipGoesBackAtTheNextCheckAndNotBefore() {
        ControllerFixture fixture = unbalanced();

        balanceAt(fixture, 1_000 + INTERVAL_MS - 1);
        assertThat(fixture.partition("orders").leader()).isEqualTo(2);
        balanceAt(fixture, 1_000 + INTERVAL_MS);

        assertThat(fixture.partition("orders").leader()).isEqualTo(1);
    }

    @Test
    void whatIsOutOfSyncGetsNothingBack() {
        ControllerFixture fixture = unbalanced();
        fixture.proposeIsr("orders", 2, List.of(2, 3));

        balanceAt(fixture, 1_000 + INTERVAL_MS);

        assertThat(fixture.partition("orders").leader()).isEqualTo(2);
    }

    @Test
    void anIntervalLiesBetweenTwoChecks() {
        ControllerFixture fixture = unbalanced();
        fixture.proposeIsr("orders", 2, List.of(2, 3));
        balanceAt(fixture, 1_000 + INTERVAL_MS);
        fixture.proposeIsr("orders", 2, List.of(1, 2, 3));

        balanceAt(fixture, 1_000 + INTERVAL_MS + 1);
        assertThat(fixture.partition("orders").leader()).isEqualTo(2);
        balanceAt(fixture, 1_000 + 2 * INTERVAL_MS);

        assertThat(fixture.partition("orders").leader()).isEqualTo(1);
    }

    @Test
    void doesNothingWhereItIsSwitchedOff() {
        ControllerFixture fixture = unbalanced(
                Map.of("auto.leader.rebalance.enable", "false", "leader.imbalance.check.interval.seconds", "60"));

        balanceAt(fixture, 1_000 + 10 * INTERVAL_MS);

        assertThat(fixture.partition("orders").leader()).isEqualTo(2);
    }
}
