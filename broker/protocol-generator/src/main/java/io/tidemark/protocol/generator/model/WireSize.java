package io.tidemark.protocol.generator.model;

import io.tidemark.protocol.generator.parse.VersionRange;

/** The fewest bytes that a value can take, which bounds what a reader may believe of an array's count. */
public final class WireSize {
    private WireSize() {}

    /** The least over all versions of the owner, and at least 1, so that every element costs a sender something. */
    public static int leastElementBytes(FieldType element, VersionRange ownerVersions, VersionRange flexible) {
        int least = Integer.MAX_VALUE;
        for (int version = ownerVersions.lowest(); version <= ownerVersions.highest(); version++) {
            least = Math.min(least, least(element, version, flexible.contains(version), false));
        }
        return Math.max(1, least);
    }

    private static int least(FieldType type, int version, boolean flexible, boolean nullable) {
        if (type instanceof FieldType.Struct struct) {
            return nullable ? 1 : least(struct.model(), version);
        }
        if (type instanceof FieldType.Array) {
            return flexible ? 1 : 4;
        }
        FieldType.Simple simple = (FieldType.Simple) type;
        if (simple.sizeInBytes() > 0) {
            return simple.sizeInBytes();
        }
        if (flexible) {
            return 1;
        }
        return simple == FieldType.Simple.STRING ? 2 : 4;
    }

    private static int least(StructModel struct, int version) {
        int sum = struct.flexibleVersions().contains(version) ? 1 : 0;
        for (FieldModel field : struct.fields()) {
            if (field.versions().contains(version) && !field.taggedVersions().contains(version)) {
                sum += least(
                        field.type(),
                        version,
                        field.flexibleVersions().contains(version),
                        field.nullableVersions().contains(version));
            }
        }
        return sum;
    }
}
