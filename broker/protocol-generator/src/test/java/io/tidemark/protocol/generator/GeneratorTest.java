package io.tidemark.protocol.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class GeneratorTest {
    private static final String PING_REQUEST = """
            { "apiKey": 3, "type": "request", "listeners": ["broker", "controller"], "name": "PingRequest",
              "validVersions": "0-2", "flexibleVersions": "2+", "latestVersionUnstable": true, "fields": [
              { "name": "Text", "type": "string", "versions": "0+", "nullableVersions": "1+", "default": "null",
                "about": "What to say, as <text>." },
              { "name": "Loud", "type": "bool", "versions": "1+", "ignorable": true },
              { "name": "Times", "type": "int32", "versions": "1+", "default": "0x10" } ] }""";
    private static final String PING_RESPONSE = """
            { "apiKey": 3, "type": "response", "name": "PingResponse", "validVersions": "0-2",
              "flexibleVersions": "2+", "fields": [] }""";

    @Test
    void putsEachFamilyIntoItsPackage() {
        Generator generator = new Generator();
        generator.add("message", "PingRequest.json", PING_REQUEST);
        generator.add("message", "PingResponse.json", PING_RESPONSE);
        generator.add("metadata", "FooRecord.json", """
                { "apiKey": 2, "type": "metadata", "name": "FooRecord", "validVersions": "0", "fields": [] }""");

        assertThat(generator.generate().keySet())
                .containsExactly(
                        "io/tidemark/broker/protocol/ApiKey.java",
                        "io/tidemark/broker/protocol/message/PingRequest.java",
                        "io/tidemark/broker/protocol/message/PingResponse.java",
                        "io/tidemark/broker/protocol/message/package-info.java",
                        "io/tidemark/broker/protocol/metadata/FooRecord.java",
                        "io/tidemark/broker/protocol/metadata/MetadataRecordTypes.java",
                        "io/tidemark/broker/protocol/metadata/package-info.java");
    }

    @Test
    void printsWhatEachVersionReadsAndWrites() {
        String source = generated("io/tidemark/broker/protocol/message/PingRequest.java");

        assertThat(source)
                .contains("What to say, as &lt;text&gt;.")
                .contains("Versions 0-2. Null allowed in 1-2. Default null.")
                .contains("private @Nullable String text;")
                .contains("private int times = 16;")
                .contains("boolean flexible = version == 2;")
                .contains("this.text = version >= 1"
                        + " ? in.readNullableString(\"PingRequest.text\", flexible)"
                        + " : in.readString(\"PingRequest.text\", flexible);")
                .contains("if (!(version >= 1) && (this.times != 16)) {")
                .doesNotContain("this.loud) {");
    }

    @Test
    void listsApisWithoutTouchingTheirMessages() {
        String source = generated("io/tidemark/broker/protocol/ApiKey.java");

        assertThat(source)
                .contains("PING(3, 0, 2, true, 2, 2, 3)")
                .contains("return new PingRequest();")
                .doesNotContain("static final PingRequest");
    }

    @Test
    void generatesTheSameTextFromTheSameSpecs() {
        assertThat(generate()).isEqualTo(generate());
    }

    @Test
    void leavesOutAnApiThatKafkaHasRemoved() {
        Generator generator = new Generator();
        generator.add("message", "GoneRequest.json", """
                { "apiKey": 4, "type": "request", "name": "GoneRequest", "validVersions": "none" }""");
        generator.add("message", "GoneResponse.json", """
                { "apiKey": 4, "type": "response", "name": "GoneResponse", "validVersions": "none" }""");

        SortedMap<String, String> files = generator.generate();

        assertThat(files).doesNotContainKey("io/tidemark/broker/protocol/message/GoneRequest.java");
        assertThat(files.get("io/tidemark/broker/protocol/ApiKey.java")).contains("GONE(4, 0, -1");
    }

    @Test
    void refusesTwoSpecsOfOneName() {
        Generator generator = new Generator();
        generator.add("message", "PingResponse.json", PING_RESPONSE);
        generator.add("message", "Copy.json", PING_RESPONSE);

        assertThatThrownBy(generator::generate)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PingResponse.java");
    }

    @Test
    void refusesARequestWithoutAResponse() {
        Generator generator = new Generator();
        generator.add("message", "PingRequest.json", PING_REQUEST);

        assertThatThrownBy(generator::generate)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PingRequest has no response");
    }

    private static String generated(String path) {
        String source = generate().get(path);
        assertThat(source).as(path).isNotNull();
        return source;
    }

    private static SortedMap<String, String> generate() {
        Generator generator = new Generator();
        generator.add("message", "PingRequest.json", PING_REQUEST);
        generator.add("message", "PingResponse.json", PING_RESPONSE);
        return generator.generate();
    }
}
