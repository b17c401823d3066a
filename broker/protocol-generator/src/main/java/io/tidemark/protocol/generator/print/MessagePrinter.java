package io.tidemark.protocol.generator.print;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.tidemark.protocol.generator.model.MessageModel;
import io.tidemark.protocol.generator.model.StructModel;
import io.tidemark.protocol.generator.parse.MessageSpec;
import javax.lang.model.element.Modifier;

/** Prints the class of one message, with a nested class for each of its structs. */
public final class MessagePrinter {
    private MessagePrinter() {}

    public static JavaFile print(MessageModel model) {
        MessageSpec spec = model.spec();
        ClassName message = Names.messageClass(spec);
        TypeSpec.Builder type = TypeSpec.classBuilder(message)
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addSuperinterface(Names.API_MESSAGE)
                .addJavadoc("Kafka's $L, versions $L.\n", spec.name(), spec.validVersions());
        FieldPrinter.print(type, message, message, model.root());
        type.addMethod(constant("apiKey", spec.apiKey()));
        type.addMethod(constant("lowestSupportedVersion", spec.validVersions().lowest()));
        type.addMethod(constant("highestSupportedVersion", spec.validVersions().highest()));
        CodeBlock guard = versionGuard(spec);
        type.addMethod(new ReadPrinter(message, model.root(), spec.name())
                .print(guard)
                .addAnnotation(Names.OVERRIDE)
                .build());
        type.addMethod(new WritePrinter(message, model.root(), spec.name())
                .print(guard)
                .addAnnotation(Names.OVERRIDE)
                .build());
        ValuePrinter.print(type, message, model.root());
        for (StructModel struct : model.structs()) {
            type.addType(struct(message, struct));
        }
        return Sources.file(message.packageName(), type.build());
    }

    private static TypeSpec struct(ClassName message, StructModel struct) {
        ClassName owner = message.nestedClass(struct.name());
        TypeSpec.Builder type = TypeSpec.classBuilder(owner)
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                .addJavadoc(
                        "$L",
                        (struct.about().isEmpty()
                                        ? "Part of " + message.simpleName() + "."
                                        : Docs.escape(struct.about()))
                                + "\n");
        CodeBlock none = CodeBlock.of("");
        String path = message.simpleName() + "." + struct.name();
        FieldPrinter.print(type, message, owner, struct);
        type.addMethod(new ReadPrinter(message, struct, path).print(none).build());
        type.addMethod(new WritePrinter(message, struct, path).print(none).build());
        ValuePrinter.print(type, owner, struct);
        return type.build();
    }

    private static CodeBlock versionGuard(MessageSpec spec) {
        return CodeBlock.builder()
                .beginControlFlow(
                        "if (version < $L || version > $L)",
                        spec.validVersions().lowest(),
                        spec.validVersions().highest())
                .addStatement(
                        "throw $T.unsupportedVersion($S, version, $S)",
                        Names.INVALID,
                        spec.name(),
                        spec.validVersions().toString())
                .endControlFlow()
                .build();
    }

    private static MethodSpec constant(String name, int value) {
        return MethodSpec.methodBuilder(name)
                .addAnnotation(Names.OVERRIDE)
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.SHORT)
                .addStatement("return $L", value)
                .build();
    }
}
