package io.tidemark.broker.api;

import io.tidemark.broker.coordinator.runtime.Completion;
import io.tidemark.broker.coordinator.runtime.ProducerIds;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AllocateProducerIdsRequest;
import io.tidemark.broker.protocol.message.AllocateProducerIdsResponse;
import io.tidemark.broker.quorum.ControllerChannel;
import io.tidemark.broker.transport.Peer;
import java.io.IOException;
import java.util.function.LongSupplier;

/** Gets blocks of producer ids from the active controller (KIP-730). */
public final class ControllerProducerIds implements ProducerIds.Source {
    private static final NodeLog LOG = NodeLog.of(ControllerProducerIds.class);

    private final ControllerChannel controller;
    private final int brokerId;
    private final LongSupplier brokerEpoch;
    private final long timeoutMs;

    /** @param brokerEpoch this broker's epoch as of now */
    public ControllerProducerIds(ControllerChannel controller, int brokerId, LongSupplier brokerEpoch, long timeoutMs) {
        this.controller = controller;
        this.brokerId = brokerId;
        this.brokerEpoch = brokerEpoch;
        this.timeoutMs = timeoutMs;
    }

    @Override
    public void allocate(Completion<ProducerIds.Block> completion) {
        AllocateProducerIdsRequest request =
                new AllocateProducerIdsRequest().setBrokerId(brokerId).setBrokerEpoch(brokerEpoch.getAsLong());
        controller.send(request, timeoutMs, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                AllocateProducerIdsResponse block = (AllocateProducerIdsResponse) response;
                ErrorCode error = ErrorCode.forCode(block.errorCode());
                if (error == ErrorCode.NONE) {
                    completion.onReply(new ProducerIds.Block(block.producerIdStart(), block.producerIdLen()));
                } else {
                    LOG.debug("The controller gave no producer ids: {}", error);
                    completion.onError(error);
                }
            }

            @Override
            public void onFailure(IOException cause) {
                LOG.debug("No answer from the controller on producer ids", cause);
                completion.onError(ErrorCode.REQUEST_TIMED_OUT);
            }
        });
    }
}
