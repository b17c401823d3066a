package io.tidemark.protocol.generator.print;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.tidemark.protocol.generator.model.FieldModel;
import io.tidemark.protocol.generator.model.FieldType;
import io.tidemark.protocol.generator.model.StructModel;
import java.util.List;
import javax.lang.model.element.Modifier;

/** Prints {@code equals}, {@code hashCode} and {@code toString}. */
final class ValuePrinter {
    private ValuePrinter() {}

    static void print(TypeSpec.Builder type, ClassName owner, StructModel struct) {
        type.addMethod(equalsMethod(owner, struct.fields()));
        type.addMethod(hashCodeMethod(struct.fields()));
        type.addMethod(toStringMethod(struct));
    }

    private static MethodSpec equalsMethod(ClassName owner, List<FieldModel> fields) {
        CodeBlock.Builder body = CodeBlock.builder();
        body.beginControlFlow("if (this == object)").addStatement("return true").endControlFlow();
        if (fields.isEmpty()) {
            body.addStatement("return object instanceof $T", owner);
        } else {
            body.beginControlFlow("if (!(object instanceof $T))", owner)
                    .addStatement("return false")
                    .endControlFlow();
            body.addStatement("$T other = ($T) object", owner, owner);
            CodeBlock.Builder all = CodeBlock.builder().add("return ");
            for (int i = 0; i < fields.size(); i++) {
                all.add(i == 0 ? "" : "\n&& ").add(sameValue(fields.get(i)));
            }
            body.addStatement(all.build());
        }
        return MethodSpec.methodBuilder("equals")
                .addAnnotation(Names.OVERRIDE)
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.BOOLEAN)
                .addParameter(Names.nullable(ClassName.get(Object.class)), "object")
                .addCode(body.build())
                .build();
    }

    private static CodeBlock sameValue(FieldModel field) {
        String name = field.javaName();
        if (field.type() == FieldType.Simple.BYTES) {
            return CodeBlock.of("$T.equals(this.$L, other.$L)", Names.ARRAYS, name, name);
        }
        if (field.type() == FieldType.Simple.FLOAT64) {
            return CodeBlock.of("Double.compare(this.$L, other.$L) == 0", name, name);
        }
        if (isPrimitive(field)) {
            return CodeBlock.of("this.$L == other.$L", name, name);
        }
        return CodeBlock.of("$T.equals(this.$L, other.$L)", Names.OBJECTS, name, name);
    }

    private static boolean isPrimitive(FieldModel field) {
        return field.type() instanceof FieldType.Simple simple && simple.isPrimitive();
    }

    private static MethodSpec hashCodeMethod(List<FieldModel> fields) {
        CodeBlock.Builder body = CodeBlock.builder().addStatement("int hash = 0");
        for (FieldModel field : fields) {
            String name = field.javaName();
            CodeBlock part;
            if (field.type() == FieldType.Simple.BYTES) {
                part = CodeBlock.of("$T.hashCode(this.$L)", Names.ARRAYS, name);
            } else if (isPrimitive(field)) {
                part = CodeBlock.of(
                        "$T.hashCode(this.$L)",
                        Names.javaType(Names.API_KEY, field.type()).box(),
                        name);
            } else {
                part = CodeBlock.of("$T.hashCode(this.$L)", Names.OBJECTS, name);
            }
            body.addStatement("hash = 31 * hash + $L", part);
        }
        return MethodSpec.methodBuilder("hashCode")
                .addAnnotation(Names.OVERRIDE)
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.INT)
                .addCode(body.addStatement("return hash").build())
                .build();
    }

    private static MethodSpec toStringMethod(StructModel struct) {
        CodeBlock.Builder text = CodeBlock.builder().add("return $S", struct.name() + "(");
        String separator = "";
        for (FieldModel field : struct.fields()) {
            text.add("\n+ $S + ", separator + field.javaName() + "=");
            if (field.type() == FieldType.Simple.BYTES) {
                text.add(
                        "(this.$L == null ? \"null\" : this.$L.length + \" bytes\")",
                        field.javaName(),
                        field.javaName());
            } else {
                text.add("this.$L", field.javaName());
            }
            separator = ", ";
        }
        return MethodSpec.methodBuilder("toString")
                .addAnnotation(Names.OVERRIDE)
                .addModifiers(Modifier.PUBLIC)
                .returns(String.class)
                .addStatement(text.add("\n+ \")\"").build())
                .build();
    }
}
