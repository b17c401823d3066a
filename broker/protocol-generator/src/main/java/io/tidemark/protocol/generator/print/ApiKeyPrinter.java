package io.tidemark.protocol.generator.print;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.tidemark.protocol.generator.parse.MessageSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import javax.lang.model.element.Modifier;

/** Prints the enum of all API keys, which names message classes in switches alone so that none is loaded early. */
public final class ApiKeyPrinter {
    /** ApiVersions answers with header version 0 always (KIP-511): the client does not yet know what is spoken. */
    private static final short API_VERSIONS = 18;

    private ApiKeyPrinter() {}

    public static JavaFile print(List<MessageSpec> specs) {
        List<MessageSpec> requests = specs.stream()
                .filter(spec -> spec.kind().equals("request"))
                .sorted(Comparator.comparingInt(MessageSpec::apiKey))
                .toList();
        List<MessageSpec> responses =
                specs.stream().filter(spec -> spec.kind().equals("response")).toList();
        TypeSpec.Builder type = TypeSpec.enumBuilder(Names.API_KEY)
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc("The APIs of Kafka's protocol, by the number that a request starts with.\n");
        for (MessageSpec request : requests) {
            type.addEnumConstant(constantName(request), constant(request, responses));
        }
        addState(type);
        type.addMethod(factory("newRequest", "A fresh request of this API.", requests));
        type.addMethod(factory("newResponse", "A fresh response of this API.", responses));
        return Sources.file(Names.PROTOCOL, type.build());
    }

    private static String constantName(MessageSpec request) {
        String name = request.name().substring(0, request.name().length() - "Request".length());
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }

    private static TypeSpec constant(MessageSpec request, List<MessageSpec> responses) {
        MessageSpec response = responses.stream()
                .filter(candidate -> candidate.apiKey() == request.apiKey())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Request " + request.name() + " has no response with API key " + request.apiKey()));
        if (!request.validVersions().equals(response.validVersions())) {
            throw new IllegalArgumentException("Request " + request.name() + " has versions "
                    + request.validVersions() + " and its response " + response.validVersions()
                    + "; expected the same");
        }
        int listeners = 0;
        for (String listener : request.listeners()) {
            listeners |= switch (listener) {
                case "broker" -> 1;
                case "controller" -> 2;
                default ->
                    throw new IllegalArgumentException("Request " + request.name() + " has listener [" + listener
                            + "]; expected broker or controller");
            };
        }
        return TypeSpec.anonymousClassBuilder(
                        "$L, $L, $L, $L, $L, $L, $L",
                        request.apiKey(),
                        request.validVersions().lowest(),
                        request.validVersions().highest(),
                        request.latestVersionUnstable(),
                        firstFlexible(request),
                        request.apiKey() == API_VERSIONS ? "Short.MAX_VALUE" : firstFlexible(response),
                        listeners)
                .build();
    }

    /** Kafka takes versions below the valid ones to be flexible too where all valid ones are. */
    private static String firstFlexible(MessageSpec spec) {
        if (spec.flexibleVersions().isEmpty()) {
            return "Short.MAX_VALUE";
        }
        return spec.flexibleVersions().covers(spec.validVersions())
                ? "0"
                : Integer.toString(spec.flexibleVersions().lowest());
    }

    private static void addState(TypeSpec.Builder type) {
        String[] shorts = {"id", "minVersion", "maxVersion"};
        MethodSpec.Builder constructor = MethodSpec.constructorBuilder();
        for (String name : shorts) {
            type.addField(TypeName.SHORT, name, Modifier.PRIVATE, Modifier.FINAL);
        }
        type.addField(TypeName.BOOLEAN, "latestVersionUnstable", Modifier.PRIVATE, Modifier.FINAL);
        type.addField(TypeName.INT, "firstFlexibleRequest", Modifier.PRIVATE, Modifier.FINAL);
        type.addField(TypeName.INT, "firstFlexibleResponseHeader", Modifier.PRIVATE, Modifier.FINAL);
        type.addField(TypeName.INT, "listeners", Modifier.PRIVATE, Modifier.FINAL);
        for (String name : shorts) {
            constructor.addParameter(TypeName.INT, name).addStatement("this.$L = (short) $L", name, name);
        }
        constructor
                .addParameter(TypeName.BOOLEAN, "latestVersionUnstable")
                .addStatement("this.latestVersionUnstable = latestVersionUnstable");
        for (String name : List.of("firstFlexibleRequest", "firstFlexibleResponseHeader", "listeners")) {
            constructor.addParameter(TypeName.INT, name).addStatement("this.$L = $L", name, name);
        }
        type.addMethod(constructor.build());
        ClassName self = Names.API_KEY;
        type.addField(
                FieldSpec.builder(ArrayTypeName.of(self), "BY_ID", Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
                        .initializer("byId()")
                        .build());
        type.addMethod(MethodSpec.methodBuilder("byId")
                .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                .returns(ArrayTypeName.of(self))
                .addStatement("$T[] keys = values()", self)
                .addStatement("$T[] byId = new $T[keys[keys.length - 1].id + 1]", self, self)
                .beginControlFlow("for ($T key : keys)", self)
                .addStatement("byId[key.id] = key")
                .endControlFlow()
                .addStatement("return byId")
                .build());
        type.addMethod(MethodSpec.methodBuilder("forId")
                .addJavadoc("The API of a number, or null where there is none.\n")
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .returns(Names.nullable(self))
                .addParameter(TypeName.SHORT, "id")
                .addStatement("return id < 0 || id >= BY_ID.length ? null : BY_ID[id]")
                .build());
        method(type, "id", TypeName.SHORT, "return id", "The number on the wire.");
        method(type, "minVersion", TypeName.SHORT, "return minVersion", "The lowest version that the messages have.");
        method(
                type,
                "maxVersion",
                TypeName.SHORT,
                "return maxVersion",
                "The highest version that the messages have, below the lowest where Kafka has removed the API.");
        method(
                type,
                "maxStableVersion",
                TypeName.SHORT,
                "return (short) (latestVersionUnstable ? maxVersion - 1 : maxVersion)",
                "The highest version that is offered to clients.");
        method(
                type,
                "latestVersionUnstable",
                TypeName.BOOLEAN,
                "return latestVersionUnstable",
                "True where Kafka does not yet promise to keep the highest version as it is.");
        type.addMethod(versionMethod(
                "requestHeaderVersion",
                "return (short) (version >= firstFlexibleRequest ? 2 : 1)",
                "The version of the header in front of a request."));
        type.addMethod(versionMethod(
                "responseHeaderVersion",
                "return (short) (version >= firstFlexibleResponseHeader ? 1 : 0)",
                "The version of the header in front of a response."));
        type.addMethod(MethodSpec.methodBuilder("isServedBy")
                .addJavadoc("True where listeners of the type serve the API.\n")
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.BOOLEAN)
                .addParameter(Names.LISTENER_TYPE, "type")
                .addStatement("return (listeners & (1 << type.ordinal())) != 0")
                .build());
        method(
                type,
                "listeners",
                ParameterizedTypeName.get(Names.LIST, Names.LISTENER_TYPE),
                "return $T.ofMask(listeners)",
                "The types of listener that serve the API; none where Kafka has removed it.",
                Names.LISTENER_TYPE);
    }

    private static void method(
            TypeSpec.Builder type, String name, TypeName returns, String statement, String doc, Object... arguments) {
        type.addMethod(MethodSpec.methodBuilder(name)
                .addJavadoc("$L\n", doc)
                .addModifiers(Modifier.PUBLIC)
                .returns(returns)
                .addStatement(statement, arguments)
                .build());
    }

    private static MethodSpec versionMethod(String name, String statement, String doc) {
        return MethodSpec.methodBuilder(name)
                .addJavadoc("$L\n", doc)
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.SHORT)
                .addParameter(TypeName.SHORT, "version")
                .addStatement(statement)
                .build();
    }

    private static MethodSpec factory(String name, String doc, List<MessageSpec> specs) {
        CodeBlock.Builder body = CodeBlock.builder().beginControlFlow("switch (id)");
        for (MessageSpec spec : specs) {
            if (!spec.validVersions().isEmpty()) {
                body.add("case $L:\n", spec.apiKey()).indent();
                body.addStatement("return new $T()", Names.messageClass(spec)).unindent();
            }
        }
        body.add("default:\n").indent();
        body.addStatement("throw new IllegalStateException(this + $S)", " has no messages: Kafka has removed it");
        body.unindent().endControlFlow();
        return MethodSpec.methodBuilder(name)
                .addJavadoc("$L\n", doc)
                .addModifiers(Modifier.PUBLIC)
                .returns(Names.API_MESSAGE)
                .addCode(body.build())
                .build();
    }
}
