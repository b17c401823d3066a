package io.tidemark.broker.quorum;

import io.tidemark.broker.controller.ControllerFeatures;
import io.tidemark.broker.controller.MetadataVersions;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.metadata.ControllerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ControllerRegistrationRequest;
import io.tidemark.broker.protocol.message.ControllerRegistrationResponse;
import io.tidemark.broker.transport.Peer;
import java.io.IOException;

/** Has the active controller write down where a standby is and what it supports (KIP-919). On the node's loop only. */
final class ControllerRegistrar {
    private static final NodeLog LOG = NodeLog.of(ControllerRegistrar.class);

    private final ControllerRegistration self;
    private final RemoteControllerChannel channel;
    private final long timeoutMs;
    private boolean isUnderWay;

    ControllerRegistrar(ControllerRegistration self, RemoteControllerChannel channel, long timeoutMs) {
        this.self = self;
        this.channel = channel;
        this.timeoutMs = timeoutMs;
    }

    /** Registers, unless it is known or is being done. Harmless to repeat. */
    void register(MetadataImage image) {
        boolean isKnown = self.equals(image.cluster().controllers().get(self.id()));
        boolean mayRegister = image.featureLevel(ControllerFeatures.METADATA_VERSION)
                >= MetadataVersions.WITH_CONTROLLER_REGISTRATIONS;
        if (isKnown || isUnderWay || !mayRegister) {
            return;
        }
        isUnderWay = true;
        channel.send(request(), timeoutMs, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                isUnderWay = false;
                short error = ((ControllerRegistrationResponse) response).errorCode();
                if (error != ErrorCode.NONE.code()) {
                    LOG.warn("Controller {} is not registered: {}", self.id(), ErrorCode.forCode(error));
                }
            }

            @Override
            public void onFailure(IOException cause) {
                isUnderWay = false;
                LOG.debug("Controller {} is not registered yet: {}", self.id(), cause.getMessage());
            }
        });
    }

    private ControllerRegistrationRequest request() {
        ControllerRegistrationRequest request = new ControllerRegistrationRequest()
                .setControllerId(self.id())
                .setIncarnationId(self.incarnationId())
                .setZkMigrationReady(false);
        self.endpoints().forEach(endpoint -> request.listeners()
                .add(new ControllerRegistrationRequest.Listener()
                        .setName(endpoint.listener())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())
                        .setSecurityProtocol(endpoint.securityProtocol())));
        self.features().forEach((name, range) -> request.features()
                .add(new ControllerRegistrationRequest.Feature()
                        .setName(name)
                        .setMinSupportedVersion(range.min())
                        .setMaxSupportedVersion(range.max())));
        return request;
    }

    void close() {
        channel.close();
    }
}
