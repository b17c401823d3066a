package io.tidemark.broker.api;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.ControllerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.ListenerType;
import io.tidemark.broker.protocol.message.DescribeClusterRequest;
import io.tidemark.broker.protocol.message.DescribeClusterResponse;
import io.tidemark.broker.protocol.message.DescribeClusterResponse.DescribeClusterBroker;
import io.tidemark.broker.types.Endpoint;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** DescribeCluster: the brokers on a broker's listener, the controllers on a controller's. */
public final class DescribeClusterHandler implements ApiHandler<DescribeClusterRequest> {
    private static final byte BROKERS = 1;
    private static final byte CONTROLLERS = 2;

    private final String clusterId;
    private final ListenerType listenerType;
    private final Supplier<MetadataImage> metadata;
    private final IntSupplier controllerId;
    private final RandomGenerator random;

    private DescribeClusterHandler(
            String clusterId,
            ListenerType listenerType,
            Supplier<MetadataImage> metadata,
            IntSupplier controllerId,
            RandomGenerator random) {
        this.clusterId = clusterId;
        this.listenerType = listenerType;
        this.metadata = metadata;
        this.controllerId = controllerId;
        this.random = random;
    }

    /** For brokers' listeners. Any live broker is named as the controller, as in Metadata. */
    public static DescribeClusterHandler ofBrokers(
            String clusterId, Supplier<MetadataImage> metadata, RandomGenerator random) {
        return new DescribeClusterHandler(clusterId, ListenerType.BROKER, metadata, () -> -1, random);
    }

    /**
     * For controllers' listeners.
     *
     * @param controllerId the quorum's leader, -1 where it is not known
     */
    public static DescribeClusterHandler ofControllers(
            String clusterId, Supplier<MetadataImage> metadata, IntSupplier controllerId, RandomGenerator random) {
        return new DescribeClusterHandler(clusterId, ListenerType.CONTROLLER, metadata, controllerId, random);
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DESCRIBE_CLUSTER;
    }

    @Override
    public void handle(RequestContext context, DescribeClusterRequest request) {
        byte expected = listenerType == ListenerType.BROKER ? BROKERS : CONTROLLERS;
        if (context.apiVersion() >= 1 && request.endpointType() != expected) {
            boolean exists = request.endpointType() == BROKERS || request.endpointType() == CONTROLLERS;
            ErrorCode error = exists ? ErrorCode.MISMATCHED_ENDPOINT_TYPE : ErrorCode.UNSUPPORTED_ENDPOINT_TYPE;
            context.respond(errorResponse(request, context.apiVersion(), error)
                    .setErrorMessage("Endpoint type is [" + request.endpointType() + "]; expected " + expected
                            + " on listener " + context.listenerName()));
            return;
        }
        DescribeClusterResponse response = new DescribeClusterResponse()
                .setClusterId(clusterId)
                .setEndpointType(expected)
                .setClusterAuthorizedOperations(
                        request.includeClusterAuthorizedOperations()
                                ? AuthorizedOperations.CLUSTER
                                : AuthorizedOperations.NOT_TOLD);
        ClusterView view = new ClusterView(metadata.get(), context.listenerName());
        if (listenerType == ListenerType.BROKER) {
            response.setControllerId(view.anyNodeId(random));
            addBrokers(view, request.includeFencedBrokers(), response);
        } else {
            response.setControllerId(controllerId.getAsInt());
            addControllers(view, response);
        }
        context.respond(response);
    }

    private static void addBrokers(ClusterView view, boolean includeFenced, DescribeClusterResponse response) {
        for (BrokerRegistration broker : view.image().cluster().brokers().values()) {
            Endpoint endpoint = broker.endpoint(view.listener());
            if (endpoint != null && (includeFenced || !broker.fenced())) {
                response.brokers()
                        .add(new DescribeClusterBroker()
                                .setBrokerId(broker.id())
                                .setHost(endpoint.host())
                                .setPort(endpoint.port())
                                .setRack(broker.rack())
                                .setIsFenced(broker.fenced()));
            }
        }
    }

    private static void addControllers(ClusterView view, DescribeClusterResponse response) {
        for (ControllerRegistration controller :
                view.image().cluster().controllers().values()) {
            for (Endpoint endpoint : controller.endpoints()) {
                if (endpoint.listener().equals(view.listener())) {
                    response.brokers()
                            .add(new DescribeClusterBroker()
                                    .setBrokerId(controller.id())
                                    .setHost(endpoint.host())
                                    .setPort(endpoint.port()));
                }
            }
        }
    }

    @Override
    public DescribeClusterResponse errorResponse(DescribeClusterRequest request, short version, ErrorCode error) {
        return new DescribeClusterResponse().setErrorCode(error.code()).setClusterId(clusterId);
    }
}
