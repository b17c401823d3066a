package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which failures of a disk take a log directory of Apache Kafka's offline: those of writes, as KIP-112 has it, but not that of
 * a fetch which cannot read its file. The broker answers that one with UNKNOWN_SERVER_ERROR and goes on leading. Ours does
 * the same.
 */
class FailedReadBesideKafkaTest {
    @TempDir
    private Path folder;

    @Test
    void kafkasLogGoesOfflineForWhatItCannotForceAndNotForWhatItCannotRead() throws Exception {
        KafkaScheduler scheduler = new KafkaScheduler(1);
        scheduler.startup();
        try {
            LogDirFailureChannel failures = new LogDirFailureChannel(1);
            UnifiedLog log = UnifiedLog.create(
                    Files.createDirectories(folder.resolve("orders-0")).toFile(),
                    new LogConfig(Map.of()),
                    0,
                    0,
                    scheduler,
                    new BrokerTopicStats(false),
                    Time.SYSTEM,
                    900_000,
                    new ProducerStateManagerConfig(86_400_000, false),
                    600_000,
                    failures,
                    false,
                    Optional.of(new Uuid(1, 2)));
            log.appendAsLeader(batch(), 0);
            // Nothing of the disk that can be made to fail here is nearer to it.
            ((FileRecords) log.read(0, 1_000, FetchIsolation.LOG_END, true).records)
                    .channel()
                    .close();

            assertThatThrownBy(() -> log.read(0, 1_000, FetchIsolation.LOG_END, true))
                    .isExactlyInstanceOf(KafkaException.class)
                    .hasCauseInstanceOf(ClosedChannelException.class)
                    .extracting(Errors::forException)
                    .isEqualTo(Errors.UNKNOWN_SERVER_ERROR);
            assertThat(failures.hasOfflineLogDir(folder.toString())).isFalse();
            assertThatThrownBy(() -> log.flush(true)).isInstanceOf(KafkaStorageException.class);
            assertThat(failures.hasOfflineLogDir(folder.toString())).isTrue();
        } finally {
            scheduler.shutdown();
        }
    }

    private static MemoryRecords batch() {
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord("value".getBytes(StandardCharsets.UTF_8)));
    }
}
