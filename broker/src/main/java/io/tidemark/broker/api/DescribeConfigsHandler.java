package io.tidemark.broker.api;

import io.tidemark.broker.controller.ConfigEntry;
import io.tidemark.broker.controller.EffectiveConfigs;
import io.tidemark.broker.controller.TopicNames;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeConfigsRequest;
import io.tidemark.broker.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.tidemark.broker.protocol.message.DescribeConfigsResponse;
import io.tidemark.broker.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.tidemark.broker.protocol.message.DescribeConfigsResponse.DescribeConfigsResult;
import io.tidemark.broker.protocol.message.DescribeConfigsResponse.DescribeConfigsSynonym;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** DescribeConfigs of topics, of this node, and of the dynamic defaults of all brokers. */
public final class DescribeConfigsHandler implements ApiHandler<DescribeConfigsRequest> {
    private final int nodeId;
    private final EffectiveConfigs configs;
    private final Supplier<MetadataImage> metadata;

    public DescribeConfigsHandler(int nodeId, EffectiveConfigs configs, Supplier<MetadataImage> metadata) {
        this.nodeId = nodeId;
        this.configs = configs;
        this.metadata = metadata;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DESCRIBE_CONFIGS;
    }

    @Override
    public void handle(RequestContext context, DescribeConfigsRequest request) {
        DescribeConfigsResponse response = new DescribeConfigsResponse();
        for (DescribeConfigsResource resource : request.resources()) {
            response.results().add(describe(resource, request));
        }
        context.respond(response);
    }

    private DescribeConfigsResult describe(DescribeConfigsResource resource, DescribeConfigsRequest request) {
        MetadataImage image = metadata.get();
        String name = resource.resourceName();
        return switch (resource.resourceType()) {
            case ConfigResource.TOPIC -> describeTopic(resource, request, image);
            case ConfigResource.BROKER -> {
                if (name.isEmpty()) {
                    yield described(resource, request, configs.brokerDefaults(image));
                }
                yield name.equals(Integer.toString(nodeId))
                        ? described(resource, request, configs.node(image))
                        : refused(
                                resource,
                                ErrorCode.INVALID_REQUEST,
                                "Broker is [" + name + "]; expected " + nodeId
                                        + ", the node that was asked, or nothing for the defaults of all brokers");
            }
            default ->
                refused(
                        resource,
                        ErrorCode.INVALID_REQUEST,
                        "Resource type is [" + resource.resourceType() + "]; expected 2 (topic) or 4 (broker)");
        };
    }

    private DescribeConfigsResult describeTopic(
            DescribeConfigsResource resource, DescribeConfigsRequest request, MetadataImage image) {
        String name = resource.resourceName();
        String problem = TopicNames.problem(name);
        if (problem != null) {
            return refused(resource, ErrorCode.INVALID_TOPIC_EXCEPTION, problem);
        }
        if (image.topics().topic(name) == null) {
            return refused(resource, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "Topic [" + name + "] does not exist");
        }
        return described(resource, request, configs.topic(image.configsOf(ConfigResource.topic(name)), image));
    }

    private static DescribeConfigsResult described(
            DescribeConfigsResource resource, DescribeConfigsRequest request, List<ConfigEntry> entries) {
        DescribeConfigsResult result = new DescribeConfigsResult()
                .setResourceType(resource.resourceType())
                .setResourceName(resource.resourceName());
        List<String> wanted = resource.configurationKeys();
        for (ConfigEntry entry : entries) {
            if (wanted == null
                    || wanted.isEmpty()
                    || wanted.contains(entry.key().name())) {
                result.configs().add(described(entry, request));
            }
        }
        return result;
    }

    private static DescribeConfigsResourceResult described(ConfigEntry entry, DescribeConfigsRequest request) {
        boolean hidden = entry.key().isSensitive();
        DescribeConfigsResourceResult result = new DescribeConfigsResourceResult()
                .setName(entry.key().name())
                .setValue(hidden ? null : entry.value())
                .setReadOnly(entry.isReadOnly())
                .setConfigSource(entry.source().id())
                .setIsSensitive(hidden)
                .setConfigType(entry.key().type().id());
        if (request.includeSynonyms()) {
            List<DescribeConfigsSynonym> synonyms = new ArrayList<>();
            for (ConfigEntry.Synonym synonym : entry.synonyms()) {
                synonyms.add(new DescribeConfigsSynonym()
                        .setName(synonym.name())
                        .setValue(hidden ? null : synonym.value())
                        .setSource(synonym.source().id()));
            }
            result.setSynonyms(synonyms);
        }
        return request.includeDocumentation()
                ? result.setDocumentation(entry.key().documentation())
                : result;
    }

    private static DescribeConfigsResult refused(DescribeConfigsResource resource, ErrorCode error, String message) {
        return new DescribeConfigsResult()
                .setErrorCode(error.code())
                .setErrorMessage(message)
                .setResourceType(resource.resourceType())
                .setResourceName(resource.resourceName());
    }

    @Override
    public DescribeConfigsResponse errorResponse(DescribeConfigsRequest request, short version, ErrorCode error) {
        DescribeConfigsResponse response = new DescribeConfigsResponse();
        request.resources().forEach(resource -> response.results().add(refused(resource, error, error.name())));
        return response;
    }
}
