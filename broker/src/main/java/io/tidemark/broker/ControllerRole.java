package io.tidemark.broker;

import io.tidemark.broker.api.ApiVersionsHandler;
import io.tidemark.broker.api.ControllerApis;
import io.tidemark.broker.api.DescribeClusterHandler;
import io.tidemark.broker.api.DescribeConfigsHandler;
import io.tidemark.broker.api.RequestRouter;
import io.tidemark.broker.controller.ControllerFeatures;
import io.tidemark.broker.controller.EffectiveConfigs;
import io.tidemark.broker.quorum.ControllerNode;
import io.tidemark.broker.types.Endpoint;
import java.io.IOException;
import java.util.List;

/** The controller role of a node: a voter of the quorum, and what it serves on its listeners. */
final class ControllerRole {
    private final ControllerNode quorum;
    private final RequestRouter router;

    /**
     * @param endpoints the controller listeners, as others reach them
     */
    ControllerRole(NodeParts parts, RequestRouter router, List<Endpoint> endpoints) {
        this.router = router;
        this.quorum = new ControllerNode(
                parts.quorum(),
                parts.clock(),
                parts.environment().stalls(),
                parts.loop(),
                parts.peers(),
                parts.environment().disk(parts.config().nodeId()),
                parts.directories().metadataDirectory(),
                endpoints,
                parts.random());
        addHandlers(parts);
    }

    private void addHandlers(NodeParts parts) {
        int nodeId = parts.config().nodeId();
        String clusterId = parts.quorum().clusterId();
        ControllerApis.handlers(quorum).forEach(router::add);
        router.add(new ApiVersionsHandler(
                        nodeId,
                        clusterId,
                        router::handlers,
                        quorum::image,
                        ControllerFeatures.supported(parts.values()),
                        quorum::kraftVersion))
                .add(DescribeClusterHandler.ofControllers(clusterId, quorum::image, quorum::leaderId, parts.random()))
                .add(new DescribeConfigsHandler(nodeId, new EffectiveConfigs(nodeId, parts.values()), quorum::image));
    }

    void start() throws IOException {
        quorum.start();
        router.serve();
    }

    ControllerNode quorum() {
        return quorum;
    }

    /**
     * Gives up the active controller's office, where this node has it.
     *
     * @param then called when another may take it
     */
    void shutdown(Runnable then) {
        quorum.resign(then);
    }

    void close() {
        quorum.close();
    }
}
