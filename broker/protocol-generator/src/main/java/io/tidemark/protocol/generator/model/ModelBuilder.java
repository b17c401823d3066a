package io.tidemark.protocol.generator.model;

import io.tidemark.protocol.generator.parse.FieldSpec;
import io.tidemark.protocol.generator.parse.MessageSpec;
import io.tidemark.protocol.generator.parse.StructSpec;
import io.tidemark.protocol.generator.parse.VersionRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Builds the model of one message. Use once. */
public final class ModelBuilder {
    private static final Set<String> RESERVED = Set.of("default", "class", "switch", "enum", "package", "interface");

    private final MessageSpec spec;
    private final Map<String, StructSpec> common = new LinkedHashMap<>();
    private final Map<String, StructModel> structs = new LinkedHashMap<>();

    public ModelBuilder(MessageSpec spec) {
        this.spec = spec;
        for (StructSpec struct : spec.commonStructs()) {
            common.put(struct.name(), struct);
        }
    }

    /**
     * Resolves types, narrows versions and checks tags.
     *
     * @throws IllegalArgumentException if the spec contradicts itself
     */
    public MessageModel build() {
        VersionRange valid = spec.validVersions();
        StructModel root = struct(spec.name(), "", valid, spec.fields());
        structs.remove(spec.name());
        return new MessageModel(spec, root, List.copyOf(structs.values()));
    }

    private StructModel struct(String name, String about, VersionRange versions, List<FieldSpec> specs) {
        List<FieldModel> fields = new ArrayList<>();
        for (FieldSpec field : specs) {
            fields.add(field(name, field, versions));
        }
        StructModel model =
                new StructModel(name, about, versions, spec.flexibleVersions().intersect(versions), fields);
        if (structs.putIfAbsent(name, model) != null) {
            throw invalid(name, "is defined twice; expected each struct name once per message");
        }
        return model;
    }

    private FieldModel field(String owner, FieldSpec field, VersionRange within) {
        String where = owner + "." + field.name();
        VersionRange versions = field.versions().intersect(within);
        VersionRange flexible = field.flexibleVersions() == null ? spec.flexibleVersions() : field.flexibleVersions();
        VersionRange tagged = field.taggedVersions().intersect(versions);
        if (tagged.isEmpty() != (field.tag() < 0) && !versions.isEmpty()) {
            throw invalid(
                    where,
                    "has tag " + field.tag() + " and taggedVersions " + field.taggedVersions()
                            + "; expected both or neither");
        }
        if (!flexible.covers(tagged)) {
            throw invalid(where, "is tagged in " + tagged + "; expected flexible versions only, which are " + flexible);
        }
        return new FieldModel(
                javaName(field.name()),
                type(where, field.type(), field, versions),
                versions,
                field.nullableVersions().intersect(versions),
                tagged,
                flexible.intersect(versions),
                field.tag(),
                field.ignorable(),
                field.defaultText(),
                field.about());
    }

    private FieldType type(String where, String text, FieldSpec field, VersionRange versions) {
        if (text.startsWith("[]")) {
            FieldType element = type(where, text.substring(2), field, versions);
            if (element instanceof FieldType.Array || element == FieldType.Simple.RECORDS) {
                throw invalid(where, "has type " + field.type() + "; expected an array of a simple type or a struct");
            }
            return new FieldType.Array(element);
        }
        if (Character.isLowerCase(text.charAt(0))) {
            try {
                return FieldType.Simple.valueOf(text.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw invalid(where, "has type " + text + ", which no generator rule knows");
            }
        }
        return new FieldType.Struct(structNamed(where, text, field, versions));
    }

    private StructModel structNamed(String where, String name, FieldSpec field, VersionRange versions) {
        StructModel known = structs.get(name);
        if (known != null && field.fields().isEmpty()) {
            return known;
        }
        if (!field.fields().isEmpty()) {
            return struct(name, field.about(), versions, field.fields());
        }
        StructSpec shared = common.get(name);
        if (shared == null) {
            throw invalid(where, "has type " + name + ", which is defined nowhere in the message");
        }
        return struct(name, "", shared.versions().intersect(spec.validVersions()), shared.fields());
    }

    private IllegalArgumentException invalid(String where, String what) {
        return new IllegalArgumentException("Spec " + spec.family() + "/" + spec.name() + ": " + where + " " + what);
    }

    private static String javaName(String name) {
        String lower = Character.toLowerCase(name.charAt(0)) + name.substring(1);
        return RESERVED.contains(lower) ? lower + "Value" : lower;
    }
}
