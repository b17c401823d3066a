package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.UnregisterBrokerRequest;
import io.tidemark.broker.protocol.message.UnregisterBrokerResponse;
import io.tidemark.broker.protocol.metadata.UnregisterBrokerRecord;
import java.util.ArrayList;
import java.util.List;

/** Decides on UnregisterBroker: the broker is forgotten, and with it what its replicas hold is no longer counted on. */
final class BrokerUnregistration {
    private final EffectiveConfigs configs;
    private final BrokerSessions sessions;

    BrokerUnregistration(EffectiveConfigs configs, BrokerSessions sessions) {
        this.configs = configs;
        this.sessions = sessions;
    }

    ControllerResult<UnregisterBrokerResponse> unregister(UnregisterBrokerRequest request, MetadataImage image) {
        UnregisterBrokerResponse response = new UnregisterBrokerResponse();
        int brokerId = request.brokerId();
        BrokerRegistration broker = image.cluster().broker(brokerId);
        if (broker == null) {
            return ControllerResult.of(response.setErrorCode(ErrorCode.BROKER_ID_NOT_REGISTERED.code())
                    .setErrorMessage("Broker " + brokerId + " is not registered; registered are "
                            + image.cluster().brokers().keySet()));
        }
        sessions.remove(brokerId);
        List<ApiMessage> records = new ArrayList<>(new LeaderChanges(image, configs).onUncleanShutdown(brokerId));
        records.add(new UnregisterBrokerRecord().setBrokerId(brokerId).setBrokerEpoch(broker.epoch()));
        return new ControllerResult<>(records, response.setErrorMessage(null));
    }
}
