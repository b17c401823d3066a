package io.tidemark.broker.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * One transactional id, and those who work under it one after the other: a new one where the last is gone, and at times
 * one that comes while the last is still at work, as when an application is believed to be dead.
 */
final class TransactionalId {
    private final World world;
    private final int number;
    private final Spawner spawner;
    private final int rivalEveryMs;
    private final List<TransactionalClient> instances = new ArrayList<>();
    private Runnable whenCommitted = () -> {};
    private int attempts;
    private boolean isEnding;

    /** Makes an instance, on a machine of its own. */
    @FunctionalInterface
    interface Spawner {
        TransactionalClient spawn(TransactionalId id, int instance);
    }

    TransactionalId(World world, int number, int rivalEveryMs, Spawner spawner) {
        this.world = world;
        this.number = number;
        this.rivalEveryMs = rivalEveryMs;
        this.spawner = spawner;
    }

    int number() {
        return number;
    }

    String name() {
        return "id-" + number;
    }

    /** The group whose offsets its transactions commit. */
    String group() {
        return "group-" + number;
    }

    /** @param then called as the commit of a transaction with offsets is acknowledged */
    void whenCommitted(Runnable then) {
        whenCommitted = then;
    }

    void onCommitted() {
        whenCommitted.run();
    }

    int nextAttempt() {
        return ++attempts;
    }

    void start() {
        spawn();
        if (rivalEveryMs > 0) {
            rivalLater();
        }
    }

    private void spawn() {
        TransactionalClient instance = spawner.spawn(this, instances.size());
        instances.add(instance);
        instance.start();
    }

    private void rivalLater() {
        world.after(world.between(rivalEveryMs / 2, rivalEveryMs * 3L / 2) * World.MS, 0, "rival", () -> {
            if (!isEnding) {
                spawn();
                rivalLater();
            }
        });
    }

    /** One of its instances is no more. */
    void onGone() {
        if (isEnding || instances.stream().anyMatch(instance -> !instance.isGone())) {
            return;
        }
        // At times nobody comes for so long that what was left open has to end by itself.
        long delayMs = world.chance(0.3) ? world.between(3_000, 12_000) : world.between(1, 800);
        world.after(delayMs * World.MS, 0, "next instance", () -> {
            if (!isEnding && instances.stream().allMatch(TransactionalClient::isGone)) {
                spawn();
            }
        });
    }

    /** No new transactions. */
    void end() {
        isEnding = true;
        instances.forEach(TransactionalClient::end);
    }

    boolean isAtRest() {
        return instances.stream().allMatch(TransactionalClient::isAtRest);
    }

    @Override
    public String toString() {
        return "transactional id [" + name() + "]";
    }
}
