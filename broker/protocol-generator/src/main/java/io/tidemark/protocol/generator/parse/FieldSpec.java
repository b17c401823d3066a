package io.tidemark.protocol.generator.parse;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field as its spec has it.
 *
 * @param name as written, for example {@code TopicData}
 * @param type for example {@code int32}, {@code []string} or {@code []TopicData}
 * @param versions those that have the field
 * @param nullableVersions those in which it may be null
 * @param taggedVersions those in which it is a tagged field
 * @param flexibleVersions those in which its encoding is compact, or null where the message decides
 * @param tag the tag, or -1 for a field that is never tagged
 * @param ignorable whether a version without the field drops its value in silence
 * @param defaultText the default as text, empty for the type's own
 * @param about one sentence for readers, may be empty
 * @param fields the fields of the struct that this field defines; empty for all other types
 */
public record FieldSpec(
        String name,
        String type,
        VersionRange versions,
        VersionRange nullableVersions,
        VersionRange taggedVersions,
        @Nullable VersionRange flexibleVersions,
        int tag,
        boolean ignorable,
        String defaultText,
        String about,
        List<FieldSpec> fields) {
    public FieldSpec {
        fields = List.copyOf(fields);
    }
}
