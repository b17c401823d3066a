package io.tidemark.protocol.generator.model;

import io.tidemark.protocol.generator.parse.VersionRange;

/**
 * A field of a struct.
 *
 * @param javaName the name of its accessor
 * @param versions those that have the field, narrowed to those of its struct
 * @param nullableVersions those in which it may be null, narrowed likewise
 * @param taggedVersions those in which it is tagged, narrowed likewise
 * @param flexibleVersions those in which it is encoded compactly, narrowed likewise
 * @param tag the tag, or -1
 * @param ignorable whether a version without the field drops its value in silence
 * @param defaultText the default as text, empty for the type's own
 */
public record FieldModel(
        String javaName,
        FieldType type,
        VersionRange versions,
        VersionRange nullableVersions,
        VersionRange taggedVersions,
        VersionRange flexibleVersions,
        int tag,
        boolean ignorable,
        String defaultText,
        String about) {
    /** True where the field can be null in Java. Records can be: nothing else says that there are none. */
    public boolean isNullable() {
        return !nullableVersions.isEmpty() || type == FieldType.Simple.RECORDS;
    }

    public boolean isNullByDefault() {
        return defaultText.equals("null") || type == FieldType.Simple.RECORDS;
    }
}
