package io.tidemark.protocol.generator.parse;

import java.util.List;

/** A struct that several fields of one message share. */
public record StructSpec(String name, VersionRange versions, List<FieldSpec> fields) {
    public StructSpec {
        fields = List.copyOf(fields);
    }
}
