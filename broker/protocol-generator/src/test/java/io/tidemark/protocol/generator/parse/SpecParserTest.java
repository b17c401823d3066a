package io.tidemark.protocol.generator.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpecParserTest {
    private final SpecParser parser = new SpecParser();

    @Test
    void readsASpecWithComments() {
        MessageSpec spec = parser.parse("message", "FooRequest.json", """
                // A licence.
                {
                  "apiKey": 7, "type": "request", "listeners": ["broker"], "name": "FooRequest",
                  // Version 1 is flexible.
                  "validVersions": "0-2", "flexibleVersions": "1+", "latestVersionUnstable": true,
                  "fields": [
                    { "name": "Id", "type": "int32", "versions": "0+", "default": "-1", "ignorable": true,
                      "about": "The id." },
                    { "name": "Names", "type": "[]Name", "versions": "1+", "nullableVersions": "2+", "fields": [
                      { "name": "Text", "type": "string", "versions": "1+", "mapKey": true, "entityType": "topicName" }
                    ]}
                  ],
                  "commonStructs": [ { "name": "Shared", "versions": "0+", "fields": [] } ]
                }
                """);

        assertThat(spec.apiKey()).isEqualTo((short) 7);
        assertThat(spec.listeners()).containsExactly("broker");
        assertThat(spec.validVersions()).hasToString("0-2");
        assertThat(spec.flexibleVersions()).hasToString("1+");
        assertThat(spec.latestVersionUnstable()).isTrue();
        assertThat(spec.commonStructs()).extracting(StructSpec::name).containsExactly("Shared");
        FieldSpec id = spec.fields().get(0);
        assertThat(id.defaultText()).isEqualTo("-1");
        assertThat(id.ignorable()).isTrue();
        assertThat(id.tag()).isEqualTo(-1);
        assertThat(id.about()).isEqualTo("The id.");
        FieldSpec names = spec.fields().get(1);
        assertThat(names.nullableVersions()).hasToString("2+");
        assertThat(names.fields()).extracting(FieldSpec::name).containsExactly("Text");
    }

    @Test
    void takesTaggedVersionsForTheVersionsWhereThoseAreLeftOut() {
        MessageSpec spec = parser.parse("transaction", "Value.json", """
                { "type": "coordinator-value", "name": "Value", "validVersions": "0-1", "flexibleVersions": "1+",
                  "fields": [ { "name": "Next", "type": "int64", "default": -1, "taggedVersions": "1+", "tag": 1 } ] }
                """);

        FieldSpec next = spec.fields().get(0);
        assertThat(next.versions()).hasToString("1+");
        assertThat(next.taggedVersions()).hasToString("1+");
        assertThat(next.defaultText()).isEqualTo("-1");
    }

    @Test
    void tellsADefaultOfNullFromNoDefaultAtAll() {
        MessageSpec spec = parser.parse("group", "Value.json", """
                { "type": "coordinator-value", "name": "Value", "validVersions": "0", "fields": [
                  { "name": "Text", "type": "string", "versions": "0+", "default": "null" },
                  { "name": "Json", "type": "string", "versions": "0+", "default": null } ] }
                """);

        assertThat(spec.fields()).extracting(FieldSpec::defaultText).containsExactly("null", "");
    }

    @Test
    void saysWhichFileIsBroken() {
        assertThatThrownBy(() -> parser.parse("message", "Foo.json", "{ \"name\": \"Foo\" }"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("message/Foo.json", "\"type\"", "Foo");
        assertThatThrownBy(() -> parser.parse("message", "Foo.json", "{"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("message/Foo.json");
    }
}
