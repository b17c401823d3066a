package io.tidemark.broker.quorum;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.metadata.RecordFormat;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.quorum.SnapshotReader.Formatted;
import io.tidemark.broker.quorum.SnapshotWriter.QuorumState;
import io.tidemark.broker.raft.SnapshotId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a controller's folder was formatted with. Apache Kafka 4.4 keeps it in the snapshot that ends at offset 0
 * (KIP-1170), earlier releases in {@code bootstrap.checkpoint} beside the folder of the metadata log; with voters in the
 * log, those had the voters alone in that snapshot. Both files have the form of a snapshot.
 */
final class FormattedFolder {
    private static final String BEFORE_KIP_1170 = "bootstrap.checkpoint";

    private final Disk disk;
    private final Path folder;

    /**
     * @param folder the folder of the metadata log
     */
    FormattedFolder(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /** Null where nothing was formatted. */
    @Nullable
    Formatted read() throws IOException {
        Path file = SnapshotFiles.of(folder, SnapshotFiles.BOOTSTRAP);
        Path former = folder.resolveSibling(BEFORE_KIP_1170);
        Formatted formatted = disk.exists(file) ? new SnapshotReader(disk, file).readFormatted() : null;
        if ((formatted == null || formatted.records().isEmpty()) && disk.exists(former)) {
            List<ApiMessage> records =
                    new SnapshotReader(disk, former).readFormatted().records();
            return new Formatted(records, formatted == null ? QuorumState.BY_CONFIGURATION : formatted.quorum());
        }
        return formatted;
    }

    /** Blocks until it is durable. */
    void write(List<ApiMessage> records, long nowMs) throws IOException {
        SnapshotId id = SnapshotFiles.BOOTSTRAP;
        new SnapshotWriter(disk, folder, nowMs)
                .write(id, records, RecordFormat.NEWEST, nowMs, QuorumState.BY_CONFIGURATION);
    }
}
