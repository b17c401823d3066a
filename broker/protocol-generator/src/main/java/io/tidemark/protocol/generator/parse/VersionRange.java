package io.tidemark.protocol.generator.parse;

/**
 * A range of versions, both ends included; empty where lowest is above highest.
 *
 * @param lowest the first version
 * @param highest the last version, {@link Short#MAX_VALUE} where the range is open
 */
public record VersionRange(int lowest, int highest) {
    public static final VersionRange NONE = new VersionRange(0, -1);
    public static final VersionRange ALL = new VersionRange(0, Short.MAX_VALUE);

    /**
     * Reads a range as specs write it: {@code none}, {@code 3}, {@code 3+} or {@code 3-5}.
     *
     * @throws IllegalArgumentException if the text is none of these
     */
    public static VersionRange parse(String text) {
        String trimmed = text.trim();
        try {
            if (trimmed.equals("none")) {
                return NONE;
            }
            if (trimmed.endsWith("+")) {
                return new VersionRange(Integer.parseInt(trimmed.substring(0, trimmed.length() - 1)), Short.MAX_VALUE);
            }
            int dash = trimmed.indexOf('-');
            if (dash < 0) {
                int only = Integer.parseInt(trimmed);
                return new VersionRange(only, only);
            }
            return new VersionRange(
                    Integer.parseInt(trimmed.substring(0, dash)), Integer.parseInt(trimmed.substring(dash + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Version range [" + text + "] is not one of none, N, N+ or N-M, as in \"0-3\"", e);
        }
    }

    public boolean isEmpty() {
        return lowest > highest;
    }

    public boolean contains(int version) {
        return version >= lowest && version <= highest;
    }

    /** True where each version of the other range is in this one. */
    public boolean covers(VersionRange other) {
        return other.isEmpty() || (lowest <= other.lowest && highest >= other.highest);
    }

    public VersionRange intersect(VersionRange other) {
        VersionRange common = new VersionRange(Math.max(lowest, other.lowest), Math.min(highest, other.highest));
        return common.isEmpty() ? NONE : common;
    }

    @Override
    public String toString() {
        if (isEmpty()) {
            return "none";
        }
        if (highest == Short.MAX_VALUE) {
            return lowest + "+";
        }
        return lowest == highest ? Integer.toString(lowest) : lowest + "-" + highest;
    }
}
