package io.tidemark.protocol.generator.print;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import io.tidemark.protocol.generator.model.FieldModel;
import io.tidemark.protocol.generator.model.FieldType;
import io.tidemark.protocol.generator.model.StructModel;
import io.tidemark.protocol.generator.model.WireSize;
import io.tidemark.protocol.generator.parse.VersionRange;
import java.util.List;
import javax.lang.model.element.Modifier;

/** Prints {@code read}: every field of the version from the buffer, every other one to its default. */
final class ReadPrinter {
    private final ClassName message;
    private final StructModel struct;
    private final String path;

    ReadPrinter(ClassName message, StructModel struct, String path) {
        this.message = message;
        this.struct = struct;
        this.path = path;
    }

    /** The method, starting with a guard, which may be empty. */
    MethodSpec.Builder print(CodeBlock guard) {
        CodeBlock.Builder body = CodeBlock.builder().add(guard);
        String flexible = Conditions.isIn(struct.flexibleVersions(), struct.versions());
        if (needsFlexible(struct)) {
            body.addStatement("boolean flexible = $L", flexible);
        }
        for (FieldModel field : struct.fields()) {
            addField(body, field);
        }
        if (!flexible.equals(Conditions.FALSE)) {
            boolean always = flexible.equals(Conditions.TRUE);
            if (!always) {
                body.beginControlFlow("if ($L)", needsFlexible(struct) ? "flexible" : flexible);
            }
            addTagged(body);
            if (!always) {
                body.endControlFlow();
            }
        }
        return MethodSpec.methodBuilder("read")
                .addModifiers(Modifier.PUBLIC)
                .addParameter(Names.READER, "in")
                .addParameter(TypeName.SHORT, "version")
                .addCode(body.build());
    }

    /** True where some field's encoding depends on the version. */
    static boolean needsFlexible(StructModel struct) {
        return struct.fields().stream().anyMatch(field -> Conditions.isFlexible(field, struct.flexibleVersions())
                .equals("flexible"));
    }

    private void addField(CodeBlock.Builder body, FieldModel field) {
        String present = presentUntagged(field, struct.versions());
        if (present.equals(Conditions.TRUE)) {
            addValue(body, field, Conditions.isFlexible(field, struct.flexibleVersions()), false);
        } else if (present.equals(Conditions.FALSE)) {
            addDefault(body, field);
        } else {
            body.beginControlFlow("if ($L)", present);
            addValue(body, field, Conditions.isFlexible(field, struct.flexibleVersions()), false);
            body.nextControlFlow("else");
            addDefault(body, field);
            body.endControlFlow();
        }
    }

    /** Where the field is present and not tagged. */
    static String presentUntagged(FieldModel field, VersionRange within) {
        VersionRange tagged = field.taggedVersions();
        VersionRange versions = field.versions();
        if (tagged.isEmpty()) {
            return Conditions.isIn(versions, within);
        }
        if (tagged.covers(versions)) {
            return Conditions.FALSE;
        }
        if (tagged.highest() != versions.highest()) {
            throw new IllegalArgumentException("Field " + field.javaName() + " is tagged in " + tagged + " of "
                    + versions + "; expected tagged versions to be the last ones");
        }
        return Conditions.isIn(new VersionRange(versions.lowest(), tagged.lowest() - 1), within);
    }

    private void addDefault(CodeBlock.Builder body, FieldModel field) {
        body.addStatement("this.$L = $L", field.javaName(), FieldPrinter.initializer(message, field));
    }

    private void addValue(CodeBlock.Builder body, FieldModel field, String flexible, boolean tagged) {
        String nullable = Conditions.isIn(field.nullableVersions(), field.versions());
        String where = path + "." + field.javaName();
        String name = field.javaName();
        FieldType type = field.type();
        if (type instanceof FieldType.Array array) {
            addArray(body, field, array.element(), flexible, nullable);
        } else if (type instanceof FieldType.Struct) {
            addStruct(body, field, nullable, tagged);
        } else if (nullable.equals(Conditions.FALSE) || isNeverNull(type)) {
            body.addStatement("this.$L = $L", name, simple((FieldType.Simple) type, where, flexible, false));
        } else if (nullable.equals(Conditions.TRUE)) {
            body.addStatement("this.$L = $L", name, simple((FieldType.Simple) type, where, flexible, true));
        } else {
            body.addStatement(
                    "this.$L = $L ? $L : $L",
                    name,
                    nullable,
                    simple((FieldType.Simple) type, where, flexible, true),
                    simple((FieldType.Simple) type, where, flexible, false));
        }
    }

    private static boolean isNeverNull(FieldType type) {
        return type instanceof FieldType.Simple simple && simple.sizeInBytes() > 0;
    }

    private void addStruct(CodeBlock.Builder body, FieldModel field, String nullable, boolean tagged) {
        TypeName type = Names.javaType(message, field.type());
        if (nullable.equals(Conditions.FALSE)) {
            body.addStatement("this.$L = new $T()", field.javaName(), type);
            body.addStatement("this.$L.read(in, version)", field.javaName());
            return;
        }
        String read = tagged ? "readTaggedIsPresent" : "readIsPresent";
        CodeBlock isPresent = CodeBlock.of("in.$L($S)", read, path + "." + field.javaName());
        if (nullable.equals(Conditions.TRUE)) {
            body.beginControlFlow("if ($L)", isPresent);
        } else {
            body.beginControlFlow("if (!($L) || $L)", nullable, isPresent);
        }
        body.addStatement("this.$L = new $T()", field.javaName(), type);
        body.addStatement("this.$L.read(in, version)", field.javaName());
        body.nextControlFlow("else");
        body.addStatement("this.$L = null", field.javaName());
        body.endControlFlow();
    }

    private void addArray(
            CodeBlock.Builder body, FieldModel field, FieldType element, String flexible, String nullable) {
        String name = field.javaName();
        String where = path + "." + name;
        String count = name + "Count";
        int least = WireSize.leastElementBytes(element, field.versions(), field.flexibleVersions());
        body.addStatement("int $L = in.readArrayCount($S, $L, $L, $L)", count, where, flexible, nullable, least);
        boolean mayBeNull = !nullable.equals(Conditions.FALSE);
        if (mayBeNull) {
            body.beginControlFlow("if ($L < 0)", count);
            body.addStatement("this.$L = null", name);
            body.nextControlFlow("else");
        }
        TypeName type = Names.elementType(message, element);
        String list = name + "List";
        body.addStatement("$T<$T> $L = $T.newList($L)", Names.LIST, type, list, Names.READER, count);
        body.beginControlFlow("for (int i = 0; i < $L; i++)", count);
        if (element instanceof FieldType.Struct) {
            body.addStatement("$T element = new $T()", type, type);
            body.addStatement("element.read(in, version)");
            body.addStatement("$L.add(element)", list);
        } else {
            body.addStatement("$L.add($L)", list, simple((FieldType.Simple) element, where, flexible, false));
        }
        body.endControlFlow();
        body.addStatement("this.$L = $L", name, list);
        if (mayBeNull) {
            body.endControlFlow();
        }
    }

    private static CodeBlock simple(FieldType.Simple type, String where, String flexible, boolean nullable) {
        return switch (type) {
            case BOOL -> CodeBlock.of("in.readBoolean($S)", where);
            case INT8 -> CodeBlock.of("in.readByte($S)", where);
            case INT16 -> CodeBlock.of("in.readShort($S)", where);
            case UINT16 -> CodeBlock.of("in.readUnsignedShort($S)", where);
            case INT32 -> CodeBlock.of("in.readInt($S)", where);
            case UINT32 -> CodeBlock.of("in.readUnsignedInt($S)", where);
            case INT64 -> CodeBlock.of("in.readLong($S)", where);
            case FLOAT64 -> CodeBlock.of("in.readDouble($S)", where);
            case UUID -> CodeBlock.of("in.readUuid($S)", where);
            case STRING -> CodeBlock.of("in.read$LString($S, $L)", nullable ? "Nullable" : "", where, flexible);
            case BYTES -> CodeBlock.of("in.read$LBytes($S, $L)", nullable ? "Nullable" : "", where, flexible);
            case RECORDS -> CodeBlock.of("in.read$LRecords($S, $L)", nullable ? "Nullable" : "", where, flexible);
        };
    }

    private void addTagged(CodeBlock.Builder body) {
        List<FieldModel> tagged = struct.fields().stream()
                .filter(field -> !field.taggedVersions().isEmpty())
                .toList();
        if (tagged.isEmpty()) {
            body.addStatement("in.skipTaggedFields($S)", path);
            return;
        }
        body.addStatement("int tagCount = in.readTagCount($S)", path);
        body.beginControlFlow("for (int t = 0; t < tagCount; t++)");
        body.addStatement("int tag = in.readTag($S)", path);
        body.addStatement("int tagEnd = in.readTagEnd($S)", path);
        body.beginControlFlow("switch (tag)");
        for (FieldModel field : tagged) {
            body.add("case $L: {\n", field.tag());
            body.indent();
            String condition = Conditions.isIn(field.taggedVersions(), struct.flexibleVersions());
            boolean always = condition.equals(Conditions.TRUE);
            if (!always) {
                body.beginControlFlow("if (!($L))", condition);
                body.addStatement("in.skipTo(tagEnd)");
                body.addStatement("break");
                body.endControlFlow();
            }
            addValue(body, field, Conditions.TRUE, true);
            body.addStatement("in.expectTagEnd($S, tagEnd)", path + "." + field.javaName());
            body.addStatement("break");
            body.unindent();
            body.add("}\n");
        }
        body.add("default:\n").indent();
        body.addStatement("in.skipTo(tagEnd)");
        body.unindent();
        body.endControlFlow();
        body.endControlFlow();
    }
}
