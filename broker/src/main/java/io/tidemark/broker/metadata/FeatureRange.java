package io.tidemark.broker.metadata;

/**
 * The levels of a feature that a node supports.
 *
 * @param min the lowest
 * @param max the highest
 */
public record FeatureRange(short min, short max) {
    /** Of a feature that a node does not know: level 0, which is to be without it. */
    public static final FeatureRange NONE = new FeatureRange((short) 0, (short) 0);

    public boolean contains(short level) {
        return level >= min && level <= max;
    }

    /** As in {@code 7-33}. */
    @Override
    public String toString() {
        return min == max ? Short.toString(min) : min + "-" + max;
    }
}
