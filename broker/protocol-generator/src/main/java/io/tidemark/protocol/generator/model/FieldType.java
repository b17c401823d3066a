package io.tidemark.protocol.generator.model;

/** The type of a field or of an array's element. */
public sealed interface FieldType {
    /** The types that have no parts. */
    enum Simple implements FieldType {
        BOOL(1, true),
        INT8(1, true),
        INT16(2, true),
        UINT16(2, true),
        INT32(4, true),
        UINT32(4, true),
        INT64(8, true),
        FLOAT64(8, true),
        UUID(16, false),
        STRING(-1, false),
        BYTES(-1, false),
        RECORDS(-1, false);

        private final int sizeInBytes;
        private final boolean isPrimitive;

        Simple(int sizeInBytes, boolean isPrimitive) {
            this.sizeInBytes = sizeInBytes;
            this.isPrimitive = isPrimitive;
        }

        /** Bytes on the wire, or -1 where they depend on the value. */
        public int sizeInBytes() {
            return sizeInBytes;
        }

        /** True for the types that Java has as primitives. */
        public boolean isPrimitive() {
            return isPrimitive;
        }
    }

    /** A struct, by its one definition in the message. */
    record Struct(StructModel model) implements FieldType {}

    /** An array. */
    record Array(FieldType element) implements FieldType {}
}
