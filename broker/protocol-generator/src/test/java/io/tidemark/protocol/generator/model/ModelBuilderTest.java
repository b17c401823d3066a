package io.tidemark.protocol.generator.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.protocol.generator.parse.MessageSpec;
import io.tidemark.protocol.generator.parse.SpecParser;
import io.tidemark.protocol.generator.parse.VersionRange;
import org.junit.jupiter.api.Test;

class ModelBuilderTest {
    @Test
    void narrowsVersionsToThoseThatCanOccur() {
        MessageModel model = build("""
                { "name": "Topics", "type": "[]Topic", "versions": "2+", "fields": [
                  { "name": "Name", "type": "string", "versions": "0-4", "nullableVersions": "3+" },
                  { "name": "Id", "type": "uuid", "versions": "5+" } ] }""");

        StructModel topic = model.structs().get(0);
        assertThat(topic.versions()).isEqualTo(new VersionRange(2, 6));
        assertThat(topic.flexibleVersions()).isEqualTo(new VersionRange(4, 6));
        FieldModel name = topic.fields().get(0);
        assertThat(name.versions()).isEqualTo(new VersionRange(2, 4));
        assertThat(name.nullableVersions()).isEqualTo(new VersionRange(3, 4));
        assertThat(name.flexibleVersions()).isEqualTo(new VersionRange(4, 4));
        assertThat(topic.fields().get(1).versions()).isEqualTo(new VersionRange(5, 6));
    }

    @Test
    void usesOneClassForASharedStruct() {
        MessageModel model = build("""
                { "name": "Owned", "type": "[]Part", "versions": "0+" },
                { "name": "Pending", "type": "[]Part", "versions": "3+" }""", """
                { "name": "Part", "versions": "0+", "fields": [
                  { "name": "Id", "type": "int32", "versions": "0+" } ] }""");

        assertThat(model.structs()).hasSize(1);
        assertThat(model.structs().get(0).versions()).isEqualTo(new VersionRange(0, 6));
    }

    @Test
    void namesFieldsAsJavaDoes() {
        MessageModel model = build("""
                { "name": "TopicData", "type": "int32", "versions": "0+" },
                { "name": "offset", "type": "int64", "versions": "0+" },
                { "name": "Default", "type": "bool", "versions": "0+" }""");

        assertThat(model.root().fields())
                .extracting(FieldModel::javaName)
                .containsExactly("topicData", "offset", "defaultValue");
    }

    @Test
    void refusesATypeThatIsDefinedNowhere() {
        assertRefused("{ \"name\": \"Parts\", \"type\": \"[]Part\", \"versions\": \"0+\" }", "Foo.Parts", "Part");
        assertRefused("{ \"name\": \"Size\", \"type\": \"int128\", \"versions\": \"0+\" }", "Foo.Size", "int128");
    }

    @Test
    void refusesATagWithoutVersionsAndVersionsWithoutATag() {
        assertRefused("{ \"name\": \"A\", \"type\": \"int8\", \"versions\": \"4+\", \"tag\": 0 }", "Foo.A", "both");
        assertRefused(
                "{ \"name\": \"A\", \"type\": \"int8\", \"versions\": \"4+\", \"taggedVersions\": \"4+\" }",
                "Foo.A",
                "both");
    }

    @Test
    void refusesATagInAVersionThatIsNotFlexible() {
        assertRefused(
                "{ \"name\": \"A\", \"type\": \"int8\", \"versions\": \"3+\", \"taggedVersions\": \"3+\", \"tag\": 0 }",
                "Foo.A",
                "flexible");
    }

    @Test
    void refusesTwoStructsOfOneName() {
        String part =
                "\"versions\": \"0+\", \"fields\": [{ \"name\": \"Id\", \"type\": \"int8\", \"versions\": \"0+\" }] }";
        assertRefused(
                "{ \"name\": \"A\", \"type\": \"Part\", " + part + ", { \"name\": \"B\", \"type\": \"Part\", " + part,
                "Part",
                "defined twice");
    }

    @Test
    void knowsTheFewestBytesOfAnElement() {
        MessageModel model = build("""
                { "name": "Topics", "type": "[]Topic", "versions": "0+", "fields": [
                  { "name": "Name", "type": "string", "versions": "0+" },
                  { "name": "Id", "type": "uuid", "versions": "5+" },
                  { "name": "Extra", "type": "string", "versions": "4+", "taggedVersions": "4+", "tag": 0 },
                  { "name": "Parts", "type": "[]int32", "versions": "0+" } ] }""");
        FieldType topic = ((FieldType.Array) model.root().fields().get(0).type()).element();

        assertThat(least(topic, 0, 3)).isEqualTo(2 + 4);
        assertThat(least(topic, 4, 4)).isEqualTo(1 + 1 + 1);
        assertThat(least(topic, 5, 6)).isEqualTo(1 + 16 + 1 + 1);
        assertThat(least(topic, 0, 6)).isEqualTo(3);
        assertThat(least(FieldType.Simple.INT64, 0, 6)).isEqualTo(8);
    }

    private static int least(FieldType type, int lowest, int highest) {
        return WireSize.leastElementBytes(type, new VersionRange(lowest, highest), new VersionRange(4, 6));
    }

    private static void assertRefused(String field, String... parts) {
        assertThatThrownBy(() -> build(field))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("message/Foo")
                .hasMessageContainingAll(parts);
    }

    private static MessageModel build(String fields) {
        return build(fields, "");
    }

    private static MessageModel build(String fields, String structs) {
        MessageSpec spec = new SpecParser().parse("message", "Foo.json", """
                { "type": "data", "name": "Foo", "validVersions": "0-6", "flexibleVersions": "4+",
                  "fields": [ %s ], "commonStructs": [ %s ] }""".formatted(fields, structs));
        return new ModelBuilder(spec).build();
    }
}
