package io.tidemark.broker.api;

import io.tidemark.broker.controller.ControllerFeatures;
import io.tidemark.broker.metadata.FeatureRange;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ApiVersionsRequest;
import io.tidemark.broker.protocol.message.ApiVersionsResponse;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * ApiVersions: what is served on this kind of listener, and the features that are finalized. A client that means to
 * talk to another cluster or node (KIP-1242) is told to bootstrap again.
 */
public final class ApiVersionsHandler implements ApiHandler<ApiVersionsRequest> {
    private static final Pattern SOFTWARE = Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9\\-.]*[a-zA-Z0-9])?");
    private static final short FIRST_VERSION_WITH_SOFTWARE = 3;

    /** Before, clients could not read a feature whose lowest level is 0. */
    private static final short FIRST_VERSION_WITH_LEVEL_ZERO = 4;

    private static final short FIRST_VERSION_WITH_TARGET = 5;

    /** Some clients refuse a broker that does not offer it, though they never use it. */
    private static final short ADVERTISED_PRODUCE_VERSION = 0;

    private final int nodeId;
    private final String clusterId;
    private final Supplier<Collection<ApiHandler<?>>> served;
    private final Supplier<MetadataImage> metadata;
    private final SortedMap<String, FeatureRange> supported;
    private final IntSupplier kraftVersion;

    /**
     * @param served the handlers of the same listener, this one among them
     * @param metadata the committed image
     * @param supported what this node supports of each feature
     * @param kraftVersion its finalized level
     */
    public ApiVersionsHandler(
            int nodeId,
            String clusterId,
            Supplier<Collection<ApiHandler<?>>> served,
            Supplier<MetadataImage> metadata,
            SortedMap<String, FeatureRange> supported,
            IntSupplier kraftVersion) {
        this.nodeId = nodeId;
        this.clusterId = clusterId;
        this.served = served;
        this.metadata = metadata;
        this.supported = supported;
        this.kraftVersion = kraftVersion;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.API_VERSIONS;
    }

    @Override
    public void handle(RequestContext context, ApiVersionsRequest request) {
        short version = context.apiVersion();
        if (version >= FIRST_VERSION_WITH_SOFTWARE
                && !(SOFTWARE.matcher(request.clientSoftwareName()).matches()
                        && SOFTWARE.matcher(request.clientSoftwareVersion()).matches())) {
            context.respond(errorResponse(request, version, ErrorCode.INVALID_REQUEST));
        } else if (version >= FIRST_VERSION_WITH_TARGET && isMeantForAnother(request)) {
            context.respond(errorResponse(request, version, ErrorCode.REBOOTSTRAP_REQUIRED));
        } else {
            context.respond(describe(version));
        }
    }

    private boolean isMeantForAnother(ApiVersionsRequest request) {
        String askedCluster = request.clusterId();
        return (askedCluster != null && !askedCluster.equals(clusterId))
                || (request.nodeId() != -1 && request.nodeId() != nodeId);
    }

    private ApiVersionsResponse describe(short version) {
        ApiVersionsResponse response = new ApiVersionsResponse();
        for (ApiHandler<?> handler : served.get()) {
            response.apiKeys()
                    .add(new ApiVersionsResponse.ApiVersion()
                            .setApiKey(handler.apiKey().id())
                            .setMinVersion(
                                    handler.apiKey() == ApiKey.PRODUCE
                                            ? ADVERTISED_PRODUCE_VERSION
                                            : handler.minVersion())
                            .setMaxVersion(handler.maxVersion()));
        }
        supported.forEach((name, range) -> {
            if (range.min() > 0 || version >= FIRST_VERSION_WITH_LEVEL_ZERO) {
                response.supportedFeatures()
                        .add(new ApiVersionsResponse.SupportedFeatureKey()
                                .setName(name)
                                .setMinVersion(range.min())
                                .setMaxVersion(range.max()));
            }
        });
        MetadataImage image = metadata.get();
        if (!image.features().isEmpty()) {
            response.setFinalizedFeaturesEpoch(image.lastOffset());
            SortedMap<String, Short> levels = new TreeMap<>(image.features());
            if (kraftVersion.getAsInt() > 0) {
                levels.put(ControllerFeatures.KRAFT_VERSION, (short) kraftVersion.getAsInt());
            }
            levels.forEach((name, level) -> response.finalizedFeatures()
                    .add(new ApiVersionsResponse.FinalizedFeatureKey()
                            .setName(name)
                            .setMinVersionLevel(level)
                            .setMaxVersionLevel(level)));
        }
        return response;
    }

    @Override
    public ApiVersionsResponse errorResponse(ApiVersionsRequest request, short version, ErrorCode error) {
        ApiVersionsResponse response = new ApiVersionsResponse().setErrorCode(error.code());
        if (error == ErrorCode.UNSUPPORTED_VERSION) {
            response.apiKeys()
                    .add(new ApiVersionsResponse.ApiVersion()
                            .setApiKey(ApiKey.API_VERSIONS.id())
                            .setMinVersion(minVersion())
                            .setMaxVersion(maxVersion()));
        }
        return response;
    }
}
