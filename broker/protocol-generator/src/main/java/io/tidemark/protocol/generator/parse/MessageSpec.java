package io.tidemark.protocol.generator.parse;

import java.util.List;

/**
 * A spec file.
 *
 * @param family the folder that it came from, which names the package of its class
 * @param name for example {@code FetchRequest}
 * @param kind the spec's {@code type}: request, response, header, metadata, coordinator-key, coordinator-value or data
 * @param apiKey the API key or record type, -1 where the spec has none
 * @param validVersions empty for an API that Kafka has removed
 * @param flexibleVersions those with compact encodings and tagged fields
 * @param latestVersionUnstable whether the highest version is not yet offered to clients
 * @param listeners the kinds of listener that serve the request, in the spec's words
 */
public record MessageSpec(
        String family,
        String name,
        String kind,
        short apiKey,
        VersionRange validVersions,
        VersionRange flexibleVersions,
        boolean latestVersionUnstable,
        List<String> listeners,
        List<FieldSpec> fields,
        List<StructSpec> commonStructs) {
    public MessageSpec {
        listeners = List.copyOf(listeners);
        fields = List.copyOf(fields);
        commonStructs = List.copyOf(commonStructs);
    }
}
