package io.tidemark.protocol.generator.print;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.tidemark.protocol.generator.parse.MessageSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.lang.model.element.Modifier;

/** Prints, for each family whose records name their type by a number, the class that makes a record from it. */
public final class RecordTypesPrinter {
    private static final ClassName COORDINATOR_RECORD_TYPES = ClassName.get(Names.PROTOCOL, "CoordinatorRecordTypes");

    private RecordTypesPrinter() {}

    /** One file per kind of record in the family; none for a family of requests or of plain data. */
    public static List<JavaFile> print(String family, List<MessageSpec> specs) {
        List<JavaFile> files = new ArrayList<>();
        List<MessageSpec> metadata = ofKind(specs, "metadata").stream()
                .filter(spec -> spec.apiKey() >= 0)
                .toList();
        if (!metadata.isEmpty()) {
            TypeSpec type = newClass(family, "The record types of the log of this family.")
                    .addMethod(MethodSpec.constructorBuilder()
                            .addModifiers(Modifier.PRIVATE)
                            .build())
                    .addMethod(factory("newRecord", "A fresh record of a type", metadata)
                            .addModifiers(Modifier.STATIC)
                            .build())
                    .build();
            files.add(Sources.file(Names.packageOf(family), type));
        }
        List<MessageSpec> keys = ofKind(specs, "coordinator-key");
        if (!keys.isEmpty()) {
            files.add(Sources.file(Names.packageOf(family), coordinator(family, keys, specs)));
        }
        return files;
    }

    private static TypeSpec coordinator(String family, List<MessageSpec> keys, List<MessageSpec> specs) {
        ClassName self = ClassName.get(Names.packageOf(family), className(family));
        return newClass(family, "The record types of this coordinator's partitions.")
                .addSuperinterface(COORDINATOR_RECORD_TYPES)
                .addField(FieldSpec.builder(self, "INSTANCE", Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                        .initializer("new $T()", self)
                        .build())
                .addMethod(MethodSpec.constructorBuilder()
                        .addModifiers(Modifier.PRIVATE)
                        .build())
                .addMethod(factory("newKey", "A fresh key of a type", keys)
                        .addAnnotation(Names.OVERRIDE)
                        .build())
                .addMethod(factory("newValue", "A fresh value of a type", ofKind(specs, "coordinator-value"))
                        .addAnnotation(Names.OVERRIDE)
                        .build())
                .build();
    }

    private static List<MessageSpec> ofKind(List<MessageSpec> specs, String kind) {
        return specs.stream()
                .filter(spec -> spec.kind().equals(kind))
                .filter(spec -> !spec.validVersions().isEmpty())
                .sorted(Comparator.comparingInt(MessageSpec::apiKey))
                .toList();
    }

    private static String className(String family) {
        return Character.toUpperCase(family.charAt(0)) + family.substring(1) + "RecordTypes";
    }

    private static TypeSpec.Builder newClass(String family, String doc) {
        return TypeSpec.classBuilder(className(family))
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addJavadoc("$L\n", doc);
    }

    private static MethodSpec.Builder factory(String name, String doc, List<MessageSpec> specs) {
        CodeBlock.Builder body = CodeBlock.builder().beginControlFlow("switch (type)");
        for (MessageSpec spec : specs) {
            body.add("case $L:\n", spec.apiKey()).indent();
            body.addStatement("return new $T()", Names.messageClass(spec)).unindent();
        }
        body.add("default:\n").indent().addStatement("return null").unindent().endControlFlow();
        return MethodSpec.methodBuilder(name)
                .addJavadoc("$L, or null where there is no such type.\n", doc)
                .addModifiers(Modifier.PUBLIC)
                .returns(Names.nullable(Names.API_MESSAGE))
                .addParameter(TypeName.SHORT, "type")
                .addCode(body.build());
    }
}
