package io.tidemark.broker.record;

/** The arithmetic of producer sequences: they run from 0 to {@link Integer#MAX_VALUE} and start again at 0. */
public final class Sequences {
    private Sequences() {}

    public static int add(int sequence, int increment) {
        long sum = (long) sequence + increment;
        return (int) (sum > Integer.MAX_VALUE ? sum - Integer.MAX_VALUE - 1 : sum);
    }

    /** True where {@code sequence} is the one that follows {@code last}. */
    public static boolean follows(int last, int sequence) {
        return sequence == add(last, 1);
    }
}
