package io.tidemark.protocol.generator.print;

import com.palantir.javapoet.CodeBlock;
import io.tidemark.protocol.generator.model.FieldModel;
import io.tidemark.protocol.generator.model.FieldType;
import io.tidemark.protocol.generator.parse.VersionRange;
import java.util.Locale;

/** Boolean expressions of the generated code, in the shortest form that the possible versions allow. */
final class Conditions {
    static final String TRUE = "true";
    static final String FALSE = "false";

    private Conditions() {}

    /** Whether {@code version}, known to be within a range, is in a part of it. */
    static String isIn(VersionRange part, VersionRange within) {
        VersionRange common = part.intersect(within);
        if (common.isEmpty()) {
            return FALSE;
        }
        if (common.covers(within)) {
            return TRUE;
        }
        if (common.lowest() == common.highest()) {
            return "version == " + common.lowest();
        }
        if (common.lowest() <= within.lowest()) {
            return "version <= " + common.highest();
        }
        if (common.highest() >= within.highest()) {
            return "version >= " + common.lowest();
        }
        return "version >= " + common.lowest() + " && version <= " + common.highest();
    }

    /** As an argument of a call: the name of the local variable where it depends on the version. */
    static String isFlexible(FieldModel field, VersionRange structFlexible) {
        VersionRange flexible = field.flexibleVersions();
        if (flexible.isEmpty()) {
            return FALSE;
        }
        return flexible.covers(field.versions()) ? TRUE : "flexible";
    }

    /** Whether the field's value is another than its default. */
    static CodeBlock isSet(FieldModel field, CodeBlock javaType) {
        String name = field.javaName();
        if (field.isNullByDefault()) {
            return CodeBlock.of("this.$L != null", name);
        }
        CodeBlock differs = differs(field, javaType);
        return field.isNullable() ? CodeBlock.of("this.$L == null || $L", name, differs) : differs;
    }

    private static CodeBlock differs(FieldModel field, CodeBlock javaType) {
        String name = field.javaName();
        if (field.type() instanceof FieldType.Array) {
            return CodeBlock.of("!this.$L.isEmpty()", name);
        }
        if (field.type() instanceof FieldType.Struct) {
            return CodeBlock.of("!this.$L.equals(new $L())", name, javaType);
        }
        FieldType.Simple simple = (FieldType.Simple) field.type();
        return switch (simple) {
            case BOOL -> CodeBlock.of(defaultValue(field).toString().equals(TRUE) ? "!this.$L" : "this.$L", name);
            case STRING, UUID -> CodeBlock.of("!this.$L.equals($L)", name, defaultValue(field));
            case BYTES -> CodeBlock.of("this.$L.length != 0", name);
            default -> CodeBlock.of("this.$L != $L", name, defaultValue(field));
        };
    }

    /** The default of a field whose type is simple. */
    static CodeBlock defaultValue(FieldModel field) {
        String text = field.defaultText();
        if (field.isNullByDefault()) {
            return CodeBlock.of("null");
        }
        return switch ((FieldType.Simple) field.type()) {
            case BOOL -> CodeBlock.of("$L", Boolean.parseBoolean(text.toLowerCase(Locale.ROOT)));
            case INT8, INT16, UINT16, INT32 -> CodeBlock.of("$L", text.isEmpty() ? 0 : Integer.decode(text));
            case UINT32, INT64 -> CodeBlock.of("$LL", text.isEmpty() ? 0 : Long.decode(text));
            case FLOAT64 -> CodeBlock.of("$Ld", text.isEmpty() ? 0.0 : Double.parseDouble(text));
            case STRING -> CodeBlock.of("$S", text);
            case UUID -> CodeBlock.of("$T.ZERO", Names.UUID);
            case BYTES -> CodeBlock.of("$T.EMPTY_BYTES", Names.READER);
            case RECORDS -> CodeBlock.of("null");
        };
    }
}
