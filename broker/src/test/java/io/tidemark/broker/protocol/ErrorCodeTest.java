package io.tidemark.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
    @Test
    void meansWhatKafkasClientsMakeOfIt() {
        assertThat(ErrorCode.values()).hasSameSizeAs(Errors.values());
        for (Errors kafka : Errors.values()) {
            ErrorCode ours = ErrorCode.valueOf(kafka.name());
            assertThat(ours.code()).as("%s", ours).isEqualTo(kafka.code());
            assertThat(ErrorCode.forCode(kafka.code())).isSameAs(ours);
            assertThat(ours.isRetriable()).as("%s", ours).isEqualTo(kafka.exception() instanceof RetriableException);
            assertThat(ours.refreshesMetadata())
                    .as("%s", ours)
                    .isEqualTo(kafka.exception() instanceof InvalidMetadataException);
        }
    }

    @Test
    void takesAnUnknownCodeForAServerError() {
        assertThat(ErrorCode.forCode((short) -2)).isEqualTo(ErrorCode.UNKNOWN_SERVER_ERROR);
        assertThat(ErrorCode.forCode((short) 137)).isEqualTo(ErrorCode.UNKNOWN_SERVER_ERROR);
        assertThat(ErrorCode.forCode(Short.MAX_VALUE)).isEqualTo(ErrorCode.UNKNOWN_SERVER_ERROR);
    }
}
