package io.tidemark.broker.simulation;

import io.tidemark.broker.disk.DiskOperation;
import io.tidemark.broker.disk.DiskOperation.Kind;

/** What is wrong with one machine's disk: it forces slowly, or fails some operations, or all. */
final class DiskTrouble {
    private final World world;
    private final Machine machine;
    private double failureRate;
    private long slowUs;
    private boolean isLookedAt;
    private boolean hasFailed;
    private boolean hasEverFailed;

    DiskTrouble(World world, Machine machine) {
        this.world = world;
        this.machine = machine;
    }

    /** Asked by the disk before each operation. */
    boolean fails(DiskOperation operation) {
        if (isLookedAt) {
            return false;
        }
        boolean isForce = operation.kind() == Kind.FORCE || operation.kind() == Kind.FORCE_FOLDER;
        if (slowUs > 0 && isForce) {
            machine.stall(world.between(0, slowUs));
        }
        if (failureRate > 0 && operation.kind() != Kind.LOOK_UP && world.chance(failureRate)) {
            hasFailed = true;
            hasEverFailed = true;
            world.trace().note(world.nowUs(), machine.id(), "disk fails: " + operation, 0, 0);
            return true;
        }
        return false;
    }

    void failing(double rate) {
        failureRate = rate;
    }

    void slow(long us) {
        slowUs = us;
    }

    /** What work beside the loop takes longer for it. */
    long forceUs() {
        return slowUs == 0 ? 0 : world.between(0, slowUs);
    }

    /** Whether this life of the machine has met a failure, so that it may be at an end or partly offline for it. */
    boolean hasFailed() {
        return hasFailed;
    }

    /** Whether any life of it has. */
    boolean hasEverFailed() {
        return hasEverFailed;
    }

    void heal() {
        failureRate = 0;
        slowUs = 0;
    }

    void forget() {
        hasFailed = false;
    }

    /** The tester's own reads are no part of the run. */
    void lookedAt(boolean isLooking) {
        isLookedAt = isLooking;
    }
}
