package io.tidemark.protocol.generator.model;

import io.tidemark.protocol.generator.parse.VersionRange;
import java.util.List;

/**
 * A struct, which becomes a class. The message's own fields are its root struct.
 *
 * @param name the simple name of the class
 * @param about one sentence for readers, may be empty
 * @param versions the versions in which the struct can occur
 * @param flexibleVersions those in which it ends with tagged fields, narrowed likewise
 */
public record StructModel(
        String name, String about, VersionRange versions, VersionRange flexibleVersions, List<FieldModel> fields) {
    public StructModel {
        fields = List.copyOf(fields);
    }
}
