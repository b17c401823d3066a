package io.tidemark.protocol.generator.model;

/** The type of a field or of an array's element. */
public sealed interface FieldType {
    /** The types that have no parts. */
    enum Simple implements FieldType {
        BOOL(1),
        INT8(1),
        INT16(2),
        UINT16(2),
        INT32(4),
        UINT32(4),
        INT64(8),
        FLOAT64(8),
        UUID(16),
        STRING(-1),
        BYTES(-1),
        RECORDS(-1);

        private final int sizeInBytes;

        Simple(int sizeInBytes) {
            this.sizeInBytes = sizeInBytes;
        }

        /** Bytes on the wire, or -1 where they depend on the value. */
        public int sizeInBytes() {
            return sizeInBytes;
        }

        /** True for the types that Java has as primitives. */
        public boolean isPrimitive() {
            return ordinal() <= FLOAT64.ordinal();
        }
    }

    /** A struct, by its one definition in the message. */
    record Struct(StructModel model) implements FieldType {}

    /** An array. */
    record Array(FieldType element) implements FieldType {}
}
