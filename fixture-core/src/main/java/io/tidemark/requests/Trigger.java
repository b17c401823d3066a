package io.tidemark.requests;

import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When a fault strikes one that it covers. Immutable.
 *
 * @param skip how many it lets pass first
 * @param most how many it strikes at most
 * @param probability of each of them to be struck, from 0 to 1
 * @param seed decides which
 * @param condition asked for each; null for always
 */
record Trigger(
        long skip,
        long most,
        double probability,
        long seed,
        @Nullable BooleanSupplier condition) {
    static Trigger always(long seed) {
        return new Trigger(0, Long.MAX_VALUE, 1, seed, null);
    }

    Trigger skip(long newSkip) {
        return new Trigger(newSkip, most, probability, seed, condition);
    }

    Trigger most(long newMost) {
        return new Trigger(skip, newMost, probability, seed, condition);
    }

    Trigger probability(double newProbability, long newSeed) {
        return new Trigger(skip, most, newProbability, newSeed, condition);
    }

    Trigger condition(BooleanSupplier newCondition) {
        return new Trigger(skip, most, probability, seed, newCondition);
    }

    /** Counts what one fault covered and struck. On one thread at a time. */
    Count count() {
        return new Count();
    }

    /** What came so far. */
    final class Count {
        private final SplittableRandom random = new SplittableRandom(seed);
        private long covered;
        private long struck;

        boolean strikesNext() {
            if (struck >= most || (condition != null && !condition.getAsBoolean())) {
                return false;
            }
            covered++;
            if (covered <= skip || (probability < 1 && random.nextDouble() >= probability)) {
                return false;
            }
            struck++;
            return true;
        }
    }

    @Override
    public String toString() {
        String text = "";
        if (skip > 0 && most == 1) {
            text = " on number " + (skip + 1);
        } else {
            text += skip > 0 ? " after " + skip : "";
            text += most == 1 ? " once" : most < Long.MAX_VALUE ? " " + most + " times" : "";
        }
        text += probability < 1 ? " with probability " + probability + " by seed " + seed : "";
        return text + (condition == null ? "" : " while a condition holds");
    }
}
