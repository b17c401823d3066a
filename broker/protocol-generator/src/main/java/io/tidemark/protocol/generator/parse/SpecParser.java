package io.tidemark.protocol.generator.parse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;

/** Reads spec files: JSON with comments. */
public final class SpecParser {
    private final JsonMapper mapper =
            JsonMapper.builder().enable(JsonReadFeature.ALLOW_JAVA_COMMENTS).build();

    /**
     * Reads one file.
     *
     * @param family the folder that it lies in
     * @param fileName for messages
     * @throws IllegalArgumentException if the text is not a spec
     */
    public MessageSpec parse(String family, String fileName, String text) {
        try {
            return message(family, mapper.readTree(text));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Spec " + family + "/" + fileName + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static MessageSpec message(String family, JsonNode node) {
        return new MessageSpec(
                family,
                required(node, "name"),
                required(node, "type"),
                (short) node.path("apiKey").asInt(-1),
                VersionRange.parse(required(node, "validVersions")),
                range(node, "flexibleVersions"),
                node.path("latestVersionUnstable").asBoolean(false),
                texts(node.path("listeners")),
                fields(node),
                structs(node.path("commonStructs")));
    }

    private static List<StructSpec> structs(JsonNode array) {
        List<StructSpec> structs = new ArrayList<>();
        for (JsonNode node : array) {
            structs.add(new StructSpec(
                    required(node, "name"), VersionRange.parse(required(node, "versions")), fields(node)));
        }
        return structs;
    }

    private static List<FieldSpec> fields(JsonNode owner) {
        List<FieldSpec> fields = new ArrayList<>();
        for (JsonNode node : owner.path("fields")) {
            fields.add(field(node));
        }
        return fields;
    }

    private static FieldSpec field(JsonNode node) {
        VersionRange tagged = range(node, "taggedVersions");
        // A field that is only ever tagged may leave its versions out.
        VersionRange versions = node.has("versions") ? range(node, "versions") : tagged;
        String name = required(node, "name");
        if (versions.isEmpty() && !node.has("versions")) {
            throw new IllegalArgumentException(
                    "field " + name + " has neither versions nor taggedVersions; expected at least one of them");
        }
        return new FieldSpec(
                name,
                required(node, "type"),
                versions,
                range(node, "nullableVersions"),
                tagged,
                node.has("flexibleVersions") ? range(node, "flexibleVersions") : null,
                node.path("tag").asInt(-1),
                node.path("ignorable").asBoolean(false),
                node.path("default").asText(""),
                node.path("about").asText(""),
                fields(node));
    }

    private static VersionRange range(JsonNode node, String property) {
        return node.has(property) ? VersionRange.parse(node.get(property).asText()) : VersionRange.NONE;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        for (JsonNode node : array) {
            texts.add(node.asText());
        }
        return texts;
    }

    private static String required(JsonNode node, String property) {
        JsonNode value = node.get(property);
        if (value == null) {
            throw new IllegalArgumentException("property \"" + property + "\" is missing from "
                    + node.path("name").asText("the top level"));
        }
        return value.asText();
    }
}
