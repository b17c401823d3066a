package io.tidemark.broker.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.disk.SimulatedDisk;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.RandomImages;
import io.tidemark.broker.quorum.SnapshotReader.Snapshot;
import io.tidemark.broker.quorum.SnapshotWriter.QuorumState;
import io.tidemark.broker.raft.SnapshotId;
import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.raft.VoterSet;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SnapshotFileTest {
    private static final Path FOLDER = Path.of("/data/__cluster_metadata-0");
    private static final int SEEDS = 60;
    private static final int DAMAGES = 3_000;

    private SimulatedDisk disk = new SimulatedDisk();

    @BeforeEach
    void create() throws IOException {
        disk.createDirectories(FOLDER);
        disk.forceDirectory(FOLDER.getRoot());
        disk.forceDirectory(FOLDER.getParent());
    }

    @Test
    void imageSurvivesItsFile() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            MetadataImage image = image(seed);
            SnapshotId id = idOf(image);

            long size = writer().write(id, image, 77, QuorumState.BY_CONFIGURATION);

            Snapshot read = reader(id).read(id);
            assertThat(read.image()).as("seed %d", seed).isEqualTo(image);
            assertThat(read.lastTimestampMs()).isEqualTo(77);
            assertThat(read.quorum()).isEqualTo(QuorumState.BY_CONFIGURATION);
            assertThat(read.sizeInBytes()).isEqualTo(size).isEqualTo(disk.size(SnapshotFiles.of(FOLDER, id)));
            assertThat(reader(id).readTimestamp()).isEqualTo(77);
        }
    }

    @Test
    void votersSurviveWhereTheyAreInTheLog() throws IOException {
        VoterSet voters = VoterSet.of(List.of(new Voter(
                1, new Uuid(1, 2), List.of(new Endpoint("CONTROLLER", "host", 9093, (short) 0)), (short) 0, (short)
                        1)));
        QuorumState quorum = new QuorumState((short) 1, voters);
        SnapshotId id = idOf(image(1));

        writer().write(id, image(1), 77, quorum);

        assertThat(reader(id).read(id).quorum()).isEqualTo(quorum);
    }

    @Test
    void filesHaveKafkasNames() throws IOException {
        assertThat(SnapshotFiles.of(FOLDER, new SnapshotId(181, 1)))
                .hasFileName("00000000000000000181-0000000001.checkpoint");
        assertThat(SnapshotFiles.idOf(Path.of("/x/00000000000000000181-0000000001.checkpoint")))
                .isEqualTo(new SnapshotId(181, 1));
        assertThat(SnapshotFiles.idOf(Path.of("/x/00000000000000000181-0000000001.checkpoint.part")))
                .isNull();
        assertThat(SnapshotFiles.idOf(Path.of("/x/bootstrap.checkpoint"))).isNull();
    }

    @Test
    void leftoversGoAndSnapshotsStay() throws IOException {
        SnapshotId id = new SnapshotId(181, 1);
        disk.open(SnapshotFiles.of(FOLDER, id)).close();
        disk.open(SnapshotFiles.of(FOLDER, SnapshotFiles.BOOTSTRAP)).close();
        disk.open(SnapshotFiles.part(FOLDER, new SnapshotId(200, 1))).close();
        disk.open(SnapshotFiles.deleted(FOLDER, new SnapshotId(100, 1))).close();
        disk.open(FOLDER.resolve("00000000000000000190-0000000001-8273648.checkpoint.part"))
                .close();

        SnapshotFiles.deleteLeftovers(disk, FOLDER);

        assertThat(disk.list(FOLDER))
                .containsExactly(SnapshotFiles.of(FOLDER, SnapshotFiles.BOOTSTRAP), SnapshotFiles.of(FOLDER, id));
        assertThat(SnapshotFiles.list(disk, FOLDER)).containsExactly(id);
    }

    @Test
    void aCrashAtAnyPointLeavesTheWholeFileOrNone() throws IOException {
        MetadataImage image = image(2);
        SnapshotId id = idOf(image);
        int changes = disk.changeCount();
        writer().write(id, image, 77, QuorumState.BY_CONFIGURATION);
        int ofWriting = disk.changeCount() - changes;
        int seenWhole = 0;
        for (int stop = 0; stop <= ofWriting; stop++) {
            for (long seed = 0; seed < 6; seed++) {
                boolean losesPower = seed > 0;
                disk = new SimulatedDisk();
                create();
                disk.stopAfter(stop);
                try {
                    writer().write(id, image, 77, QuorumState.BY_CONFIGURATION);
                } catch (IOException e) {
                    assertThat(stop).isLessThan(ofWriting);
                }
                if (losesPower) {
                    disk.powerLoss(seed);
                } else {
                    disk.restart();
                }
                SnapshotFiles.deleteLeftovers(disk, FOLDER);
                boolean isThere = !SnapshotFiles.list(disk, FOLDER).isEmpty();
                if (isThere) {
                    seenWhole++;
                    assertThat(reader(id).read(id).image()).isEqualTo(image);
                }
                assertThat(isThere || stop < ofWriting)
                        .as("there once it was reported as written, stop %d seed %d", stop, seed)
                        .isTrue();
                assertThat(disk.list(FOLDER)).hasSize(isThere ? 1 : 0);
            }
        }
        assertThat(seenWhole).isBetween(6, 6 * ofWriting);
    }

    @Test
    void whateverIsInTheFileItIsReadOrRefused() throws IOException {
        MetadataImage image = image(4);
        SnapshotId id = idOf(image);
        writer().write(id, image, 77, QuorumState.BY_CONFIGURATION);
        Path file = SnapshotFiles.of(FOLDER, id);
        byte[] good = disk.readAll(file);
        int refused = 0;
        for (long seed = 0; seed < DAMAGES; seed++) {
            RandomGenerator random = new SplittableRandom(seed);
            disk.replace(file, damaged(good, random));
            try {
                reader(id).read(id);
            } catch (CorruptSnapshotException e) {
                refused++;
                assertThat(e).hasMessageContaining(file.toString());
            }
        }
        assertThat(refused).isGreaterThan(DAMAGES / 2);
    }

    /** Bits turned over, ends cut off or added, and parts repeated; also such that a checksum is right again. */
    private static byte[] damaged(byte[] good, RandomGenerator random) {
        byte[] bytes = good.clone();
        switch (random.nextInt(5)) {
            case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 2 -> {
                bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(200));
                for (int i = good.length; i < bytes.length; i++) {
                    bytes[i] = good[i - good.length];
                }
            }
            case 3 -> {
                int position = random.nextInt(bytes.length - 8);
                ByteBuffer.wrap(bytes).putInt(position, random.nextInt());
            }
            default -> {
                // The second batch holds the records; its checksum is made right again.
                int start = 12 + ByteBuffer.wrap(bytes).getInt(8);
                int length = 12 + ByteBuffer.wrap(bytes).getInt(start + 8);
                for (int i = 1 + random.nextInt(4); i > 0; i--) {
                    bytes[start + 21 + random.nextInt(length - 21)] = (byte) random.nextInt();
                }
                CRC32C crc = new CRC32C();
                crc.update(bytes, start + 21, length - 21);
                ByteBuffer.wrap(bytes).putInt(start + 17, (int) crc.getValue());
            }
        }
        return bytes;
    }

    @Test
    void aFileWithoutItsEndIsRefused() throws IOException {
        MetadataImage image = image(5);
        SnapshotId id = idOf(image);
        writer().write(id, image, 77, QuorumState.BY_CONFIGURATION);
        Path file = SnapshotFiles.of(FOLDER, id);
        try (DiskFile open = disk.open(file)) {
            // As long as a footer's batch is.
            open.truncate(open.size() - 75);
        }

        assertThatThrownBy(() -> reader(id).read(id))
                .isInstanceOf(CorruptSnapshotException.class)
                .hasMessageContaining(file + " cannot be used")
                .hasMessageContaining("without a footer");
    }

    private SnapshotWriter writer() {
        return new SnapshotWriter(disk, FOLDER, 88);
    }

    private SnapshotReader reader(SnapshotId id) {
        return new SnapshotReader(disk, SnapshotFiles.of(FOLDER, id));
    }

    private static MetadataImage image(long seed) {
        return new RandomImages(new SplittableRandom(seed)).next();
    }

    private static SnapshotId idOf(MetadataImage image) {
        return new SnapshotId(image.lastOffset() + 1, image.lastLeaderEpoch());
    }
}
