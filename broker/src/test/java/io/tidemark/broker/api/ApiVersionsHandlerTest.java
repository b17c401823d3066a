package io.tidemark.broker.api;

import static io.tidemark.broker.api.RecordedRequest.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.controller.ControllerFeatures;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ApiVersionsRequest;
import io.tidemark.broker.protocol.message.ApiVersionsResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiVersionsHandlerTest {
    private final TestMetadata metadata = new TestMetadata();
    private final List<ApiHandler<?>> served = new ArrayList<>();
    private final ApiVersionsHandler handler = new ApiVersionsHandler(
            1, "c1uster", this::served, metadata::image, ControllerFeatures.supported(), () -> 0);

    private Collection<ApiHandler<?>> served() {
        return served;
    }

    private static ApiVersionsRequest request() {
        return new ApiVersionsRequest().setClientSoftwareName("test").setClientSoftwareVersion("1.0");
    }

    @Test
    void tellsWhatIsServedAndNothingElse() {
        served.add(handler);
        served.add(new DescribeTopicPartitionsHandler(metadata, BrokerConfigs.DEFINITION.defaults()));

        ApiVersionsResponse response = ask(handler, 4, "INTERNAL", request());

        assertThat(response.apiKeys())
                .extracting(api -> (int) api.apiKey(), api -> (int) api.minVersion(), api -> (int) api.maxVersion())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(18, 0, 5), org.assertj.core.groups.Tuple.tuple(75, 0, 0));
    }

    @Test
    void offersProduceFromVersionZero() {
        served.add(new ApiHandler<ProduceRequest>() {
            @Override
            public ApiKey apiKey() {
                return ApiKey.PRODUCE;
            }

            @Override
            public void handle(RequestContext context, ProduceRequest request) {}

            @Override
            public ApiMessage errorResponse(ProduceRequest request, short version, ErrorCode error) {
                return new ProduceResponse();
            }
        });

        ApiVersionsResponse response = ask(handler, 4, "INTERNAL", request());

        assertThat(response.apiKeys().get(0).minVersion()).isZero();
        assertThat(response.apiKeys().get(0).maxVersion()).isEqualTo((short) 13);
    }

    @Test
    void tellsTheFeatures() {
        ApiVersionsResponse response = ask(handler, 4, "INTERNAL", request());

        assertThat(response.supportedFeatures())
                .extracting(feature -> feature.name() + " " + feature.minVersion() + "-" + feature.maxVersion())
                .containsExactly(
                        "eligible.leader.replicas.version 0-1",
                        "group.version 0-1",
                        "kraft.version 0-1",
                        "metadata.version 7-33",
                        "share.version 0-2",
                        "streams.version 0-1",
                        "transaction.version 0-2");
        assertThat(response.finalizedFeaturesEpoch()).isEqualTo(metadata.image().lastOffset());
        assertThat(response.finalizedFeatures())
                .extracting(feature -> feature.name() + " " + feature.maxVersionLevel())
                .containsExactly("metadata.version 33");
    }

    @Test
    void hidesFromOlderClientsWhatTheyCannotRead() {
        ApiVersionsResponse response = ask(handler, 3, "INTERNAL", request());

        assertThat(response.supportedFeatures())
                .extracting(ApiVersionsResponse.SupportedFeatureKey::name)
                .containsExactly("metadata.version");
    }

    @Test
    void sendsAClientThatMeansAnotherClusterOrNodeAway() {
        assertThat(error(5, request().setClusterId("other"))).isEqualTo(ErrorCode.REBOOTSTRAP_REQUIRED);
        assertThat(error(5, request().setNodeId(2))).isEqualTo(ErrorCode.REBOOTSTRAP_REQUIRED);
        assertThat(error(5, request().setClusterId("c1uster").setNodeId(1))).isEqualTo(ErrorCode.NONE);
        assertThat(error(5, request())).isEqualTo(ErrorCode.NONE);
        assertThat(error(4, request().setClusterId("other"))).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void refusesSoftwareNamesThatNobodyCouldShow() {
        assertThat(error(3, request().setClientSoftwareName("-x"))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error(3, request().setClientSoftwareVersion(""))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error(2, new ApiVersionsRequest())).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aVersionThatIsTooNewLearnsWhatToAskInstead() {
        ApiVersionsResponse response =
                handler.errorResponse(new ApiVersionsRequest(), (short) 0, ErrorCode.UNSUPPORTED_VERSION);

        assertThat(response.errorCode()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION.code());
        assertThat(response.apiKeys()).singleElement().satisfies(api -> {
            assertThat(api.apiKey()).isEqualTo((short) 18);
            assertThat(api.maxVersion()).isEqualTo((short) 5);
        });
    }

    private ErrorCode error(int version, ApiVersionsRequest request) {
        ApiVersionsResponse response = ask(handler, version, "INTERNAL", request);
        return ErrorCode.forCode(response.errorCode());
    }
}
