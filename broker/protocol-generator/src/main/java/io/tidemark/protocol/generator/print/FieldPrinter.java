package io.tidemark.protocol.generator.print;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.tidemark.protocol.generator.model.FieldModel;
import io.tidemark.protocol.generator.model.FieldType;
import io.tidemark.protocol.generator.model.StructModel;
import javax.lang.model.element.Modifier;

/** Prints a struct's fields, accessors and setters. */
final class FieldPrinter {
    private FieldPrinter() {}

    static void print(TypeSpec.Builder type, ClassName message, ClassName owner, StructModel struct) {
        for (FieldModel field : struct.fields()) {
            TypeName plain = Names.javaType(message, field.type());
            TypeName javaType = field.isNullable() ? Names.nullable(plain) : plain;
            FieldSpec.Builder declared = FieldSpec.builder(javaType, field.javaName(), Modifier.PRIVATE);
            CodeBlock initializer = initializer(message, field);
            if (!isJavaDefault(initializer)) {
                declared.initializer(initializer);
            }
            type.addField(declared.build());
        }
        for (FieldModel field : struct.fields()) {
            TypeName plain = Names.javaType(message, field.type());
            TypeName javaType = field.isNullable() ? Names.nullable(plain) : plain;
            type.addMethod(accessor(field, javaType));
            type.addMethod(setter(field, javaType, owner));
        }
    }

    private static MethodSpec accessor(FieldModel field, TypeName javaType) {
        return MethodSpec.methodBuilder(field.javaName())
                .addJavadoc("$L", Docs.of(field))
                .addModifiers(Modifier.PUBLIC)
                .returns(javaType)
                .addStatement("return this.$L", field.javaName())
                .build();
    }

    private static MethodSpec setter(FieldModel field, TypeName javaType, ClassName owner) {
        String name = field.javaName();
        return MethodSpec.methodBuilder("set" + Character.toUpperCase(name.charAt(0)) + name.substring(1))
                .addModifiers(Modifier.PUBLIC)
                .returns(owner)
                .addParameter(javaType, name)
                .addStatement("this.$L = $L", name, name)
                .addStatement("return this")
                .build();
    }

    private static boolean isJavaDefault(CodeBlock initializer) {
        String text = initializer.toString();
        return text.equals("0") || text.equals("0L") || text.equals("false") || text.equals("null");
    }

    /** The expression for a field's default. */
    static CodeBlock initializer(ClassName message, FieldModel field) {
        if (field.isNullByDefault()) {
            return CodeBlock.of("null");
        }
        if (field.type() instanceof FieldType.Array) {
            return CodeBlock.of("new $T<>()", Names.ARRAY_LIST);
        }
        if (field.type() instanceof FieldType.Struct) {
            return CodeBlock.of("new $T()", Names.javaType(message, field.type()));
        }
        return Conditions.defaultValue(field);
    }
}
