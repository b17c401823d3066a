package io.tidemark.broker.controller;

import io.tidemark.broker.config.InvalidConfigException;
import java.util.Comparator;
import java.util.List;

/**
 * The levels of metadata.version and Kafka's names for them: {@code 4.4-IV2} is the third that came up on the way to
 * release 4.4, and the last one of a release is the level of that release.
 */
public final class MetadataVersions {
    /** 3.3-IV3. */
    public static final short MINIMUM = 7;

    /** 4.4-IV2. */
    public static final short LATEST_PRODUCTION = 33;

    /** 4.5-IV0, which is in the making: it is known, and supported only where unstable levels are. */
    static final short LATEST_TESTING = 34;

    /** From this level on controllers register. */
    public static final short WITH_CONTROLLER_REGISTRATIONS = 15;

    private static final List<Version> ALL = List.of(
            new Version(7, "3.3-IV3", true),
            new Version(8, "3.4-IV0", true),
            new Version(9, "3.5-IV0", false),
            new Version(10, "3.5-IV1", false),
            new Version(11, "3.5-IV2", true),
            new Version(12, "3.6-IV0", false),
            new Version(13, "3.6-IV1", true),
            new Version(14, "3.6-IV2", true),
            new Version(15, "3.7-IV0", true),
            new Version(16, "3.7-IV1", false),
            new Version(17, "3.7-IV2", true),
            new Version(18, "3.7-IV3", false),
            new Version(19, "3.7-IV4", false),
            new Version(20, "3.8-IV0", false),
            new Version(21, "3.9-IV0", false),
            new Version(22, "4.0-IV0", false),
            new Version(23, "4.0-IV1", true),
            new Version(24, "4.0-IV2", false),
            new Version(25, "4.0-IV3", false),
            new Version(26, "4.1-IV0", false),
            new Version(27, "4.1-IV1", false),
            new Version(28, "4.2-IV0", false),
            new Version(29, "4.2-IV1", false),
            new Version(30, "4.3-IV0", true),
            new Version(31, "4.4-IV0", false),
            new Version(32, "4.4-IV1", true),
            new Version(33, "4.4-IV2", true),
            new Version(34, "4.5-IV0", false));

    private MetadataVersions() {}

    /**
     * One level.
     *
     * @param changesRecords whether records came with it that the level before could not hold
     */
    private record Version(int level, String name, boolean changesRecords) {
        boolean isOfRelease(String release) {
            return name.startsWith(release + "-");
        }
    }

    /** The name of a level; its number where it has none. */
    public static String nameOf(short level) {
        return ALL.stream()
                .filter(version -> version.level() == level)
                .map(Version::name)
                .findFirst()
                .orElseGet(() -> Short.toString(level));
    }

    /**
     * The level of a name, of a release ({@code 4.1}: its last level), or of a number.
     *
     * @throws InvalidConfigException if there is none
     */
    public static short levelOf(String text) {
        return (short) ALL.stream()
                .filter(version -> version.name().equals(text)
                        || version.isOfRelease(text)
                        || Integer.toString(version.level()).equals(text))
                .max(Comparator.comparingInt(Version::level))
                .orElseThrow(() -> new InvalidConfigException("There is no metadata.version [" + text
                        + "]; expected a level of " + MINIMUM + " to " + LATEST_TESTING + ", or a name as "
                        + nameOf(LATEST_PRODUCTION) + " or 4.1"))
                .level();
    }

    /** True where going from the higher level to the lower could lose what is in the metadata. */
    static boolean losesRecords(short from, short to) {
        return ALL.stream()
                .anyMatch(version -> version.level() > to && version.level() <= from && version.changesRecords());
    }
}
