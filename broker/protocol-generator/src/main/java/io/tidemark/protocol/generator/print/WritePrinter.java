package io.tidemark.protocol.generator.print;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import io.tidemark.protocol.generator.model.FieldModel;
import io.tidemark.protocol.generator.model.FieldType;
import io.tidemark.protocol.generator.model.StructModel;
import java.util.Comparator;
import java.util.List;
import javax.lang.model.element.Modifier;

/** Prints {@code write}: every field of the version, a complaint for a value that the version cannot carry. */
final class WritePrinter {
    private final ClassName message;
    private final StructModel struct;
    private final String path;

    WritePrinter(ClassName message, StructModel struct, String path) {
        this.message = message;
        this.struct = struct;
        this.path = path;
    }

    /** The method, starting with a guard, which may be empty. */
    MethodSpec.Builder print(CodeBlock guard) {
        CodeBlock.Builder body = CodeBlock.builder().add(guard);
        String flexible = Conditions.isIn(struct.flexibleVersions(), struct.versions());
        if (ReadPrinter.needsFlexible(struct)) {
            body.addStatement("boolean flexible = $L", flexible);
        }
        for (FieldModel field : struct.fields()) {
            addField(body, field);
        }
        if (!flexible.equals(Conditions.FALSE)) {
            boolean always = flexible.equals(Conditions.TRUE);
            if (!always) {
                body.beginControlFlow("if ($L)", ReadPrinter.needsFlexible(struct) ? "flexible" : flexible);
            }
            addTagged(body);
            if (!always) {
                body.endControlFlow();
            }
        }
        return MethodSpec.methodBuilder("write")
                .addModifiers(Modifier.PUBLIC)
                .addParameter(Names.WRITER, "out")
                .addParameter(TypeName.SHORT, "version")
                .addCode(body.build());
    }

    private void addField(CodeBlock.Builder body, FieldModel field) {
        String untagged = ReadPrinter.presentUntagged(field, struct.versions());
        if (!untagged.equals(Conditions.FALSE)) {
            boolean always = untagged.equals(Conditions.TRUE);
            if (!always) {
                body.beginControlFlow("if ($L)", untagged);
            }
            addValue(body, field, Conditions.isFlexible(field, struct.flexibleVersions()), false);
            if (!always) {
                body.endControlFlow();
            }
        }
        String present = Conditions.isIn(field.versions(), struct.versions());
        if (!field.ignorable() && !present.equals(Conditions.TRUE)) {
            CodeBlock isSet = isSet(field);
            if (present.equals(Conditions.FALSE)) {
                body.beginControlFlow("if ($L)", isSet);
            } else {
                body.beginControlFlow("if (!($L) && ($L))", present, isSet);
            }
            body.addStatement(
                    "throw $T.notInVersion($S, version, $S)",
                    Names.INVALID,
                    path + "." + field.javaName(),
                    field.versions().toString());
            body.endControlFlow();
        }
    }

    private CodeBlock isSet(FieldModel field) {
        return Conditions.isSet(field, CodeBlock.of("$T", Names.javaType(message, field.type())));
    }

    private void addValue(CodeBlock.Builder body, FieldModel field, String flexible, boolean tagged) {
        String nullable = Conditions.isIn(field.nullableVersions(), field.versions());
        String where = path + "." + field.javaName();
        CodeBlock value = CodeBlock.of("this.$L", field.javaName());
        if (field.type() instanceof FieldType.Array array) {
            body.beginControlFlow("if ($L == null)", value);
            body.addStatement("out.writeNullArray($S, $L, $L)", where, flexible, nullable);
            body.nextControlFlow("else");
            body.addStatement("out.writeArrayCount($L.size(), $L)", value, flexible);
            body.beginControlFlow("for ($T element : $L)", Names.elementType(message, array.element()), value);
            if (array.element() instanceof FieldType.Struct) {
                body.addStatement("element.write(out, version)");
            } else {
                FieldType.Simple simple = (FieldType.Simple) array.element();
                body.addStatement(simple(simple, CodeBlock.of("element"), where, flexible, Conditions.FALSE));
            }
            body.endControlFlow();
            body.endControlFlow();
        } else if (field.type() instanceof FieldType.Struct) {
            addStruct(body, value, where, nullable, tagged);
        } else {
            body.addStatement(simple((FieldType.Simple) field.type(), value, where, flexible, nullable));
        }
    }

    private static void addStruct(
            CodeBlock.Builder body, CodeBlock value, String where, String nullable, boolean tagged) {
        if (nullable.equals(Conditions.FALSE)) {
            body.addStatement("$L.write(out, version)", value);
            return;
        }
        body.beginControlFlow("if ($L == null)", value);
        body.addStatement("out.$L($S, $L)", tagged ? "writeTaggedNullStruct" : "writeNullStruct", where, nullable);
        body.nextControlFlow("else");
        if (nullable.equals(Conditions.TRUE)) {
            body.addStatement("out.writeByte(1)");
        } else {
            body.beginControlFlow("if ($L)", nullable);
            body.addStatement("out.writeByte(1)");
            body.endControlFlow();
        }
        body.addStatement("$L.write(out, version)", value);
        body.endControlFlow();
    }

    private static CodeBlock simple(
            FieldType.Simple type, CodeBlock value, String where, String flexible, String nullable) {
        return switch (type) {
            case BOOL -> CodeBlock.of("out.writeBoolean($L)", value);
            case INT8 -> CodeBlock.of("out.writeByte($L)", value);
            case INT16 -> CodeBlock.of("out.writeShort($L)", value);
            case UINT16 -> CodeBlock.of("out.writeUnsignedShort($S, $L)", where, value);
            case INT32 -> CodeBlock.of("out.writeInt($L)", value);
            case UINT32 -> CodeBlock.of("out.writeUnsignedInt($S, $L)", where, value);
            case INT64 -> CodeBlock.of("out.writeLong($L)", value);
            case FLOAT64 -> CodeBlock.of("out.writeDouble($L)", value);
            case UUID -> CodeBlock.of("out.writeUuid($S, $L)", where, value);
            case STRING -> CodeBlock.of("out.writeString($S, $L, $L, $L)", where, value, flexible, nullable);
            case BYTES -> CodeBlock.of("out.writeBytes($S, $L, $L, $L)", where, value, flexible, nullable);
            case RECORDS -> CodeBlock.of("out.writeRecords($S, $L, $L, $L)", where, value, flexible, nullable);
        };
    }

    private void addTagged(CodeBlock.Builder body) {
        List<FieldModel> tagged = struct.fields().stream()
                .filter(field -> !field.taggedVersions().isEmpty())
                .sorted(Comparator.comparingInt(FieldModel::tag))
                .toList();
        if (tagged.isEmpty()) {
            body.addStatement("out.writeUnsignedVarint(0)");
            return;
        }
        body.addStatement("int tagCount = 0");
        for (FieldModel field : tagged) {
            String condition = Conditions.isIn(field.taggedVersions(), struct.flexibleVersions());
            CodeBlock isSet = isSet(field);
            body.addStatement(
                    "boolean $L = $L",
                    hasName(field),
                    condition.equals(Conditions.TRUE) ? isSet : CodeBlock.of("$L && ($L)", condition, isSet));
            body.beginControlFlow("if ($L)", hasName(field));
            body.addStatement("tagCount++");
            body.endControlFlow();
        }
        body.addStatement("out.writeUnsignedVarint(tagCount)");
        for (FieldModel field : tagged) {
            body.beginControlFlow("if ($L)", hasName(field));
            body.addStatement("int start = out.beginTagged($L)", field.tag());
            addValue(body, field, Conditions.TRUE, true);
            body.addStatement("out.endTagged(start)");
            body.endControlFlow();
        }
    }

    private static String hasName(FieldModel field) {
        return "has" + Character.toUpperCase(field.javaName().charAt(0))
                + field.javaName().substring(1);
    }
}
