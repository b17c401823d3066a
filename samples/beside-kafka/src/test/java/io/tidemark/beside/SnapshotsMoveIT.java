package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.util.BatchFileReader;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of the metadata that Apache Kafka wrote are read by ours, and the other way round. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SnapshotsMoveIT {
    private static final String METADATA = "__cluster_metadata-0";

    /** So little that the metadata of a few topics makes a snapshot, and the log starts where the last one ends. */
    private static final List<String> SMALL = List.of(
            "metadata.log.max.record.bytes.between.snapshots=1500",
            "metadata.max.retention.bytes=1",
            "internal.metadata.delete.delay.millis=0");

    @TempDir
    Path parent;

    @Test
    void metadataOutlivesEveryMoveBySnapshots() throws Exception {
        try (DataFolder folder = new DataFolder(parent, true, SMALL)) {
            folder.formatByKafka();
            Map<String, Uuid> byKafka;
            try (ServerProcess kafka = folder.serveByKafka()) {
                create(folder, "of-kafka");
                byKafka = topics(folder);
                kafka.stop();
            }
            assertThat(snapshots(folder)).as("written by Apache Kafka").isNotEmpty();

            Map<String, Uuid> byOurs;
            try (ServerProcess ours = folder.serveByOurs()) {
                assertThat(topics(folder)).isEqualTo(byKafka);
                create(folder, "of-ours");
                byOurs = topics(folder);
                ours.stop();
            }
            List<Path> written = snapshots(folder);
            Path newest = written.get(written.size() - 1);
            List<String> dump = KafkaDump.of(newest, "--cluster-metadata-decoder", "--deep-iteration");
            MetadataImage image = read(newest);

            try (ServerProcess kafka = folder.serveByKafka()) {
                assertThat(topics(folder)).isEqualTo(byOurs);
                create(folder, "of-kafka-again");
                kafka.stop();
                assertThat(kafka.output()).doesNotContainIgnoringCase("corrupt");
            }
            try (ServerProcess ours = folder.serveByOurs()) {
                assertThat(topics(folder)).containsAllEntriesOf(byOurs).containsKey("of-kafka-again-0");
                ours.stop();
            }

            assertThat(dump).noneMatch(KafkaDump::isComplaint);
            assertThat(KafkaDump.records(dump))
                    .anyMatch(line -> line.contains("SnapshotHeader"))
                    .anyMatch(line -> line.contains("FEATURE_LEVEL_RECORD") && line.contains("metadata.version"))
                    .anyMatch(line -> line.contains("REGISTER_BROKER_RECORD"))
                    .anyMatch(line -> line.contains("SnapshotFooter"));
            assertThat(image.topics().topicNameToIdView()).containsEntry("of-kafka-0", byKafka.get("of-kafka-0"));
            assertThat(image.features().metadataVersionOrThrow().featureLevel()).isEqualTo((short) 33);
            assertThat(image.cluster().broker(1)).isNotNull();
        }
    }

    @Test
    void oursServesAFolderWhoseVotersAreInItsLog() throws Exception {
        try (DataFolder folder = new DataFolder(parent, false, SMALL)) {
            folder.formatByKafka("--standalone", "--feature", "share.version=1");
            try (ServerProcess ours = folder.serveByOurs()) {
                assertThat(levels(folder)).containsEntry("kraft.version", 1).containsEntry("share.version", 1);
                create(folder, "of-ours");
                ours.stop();
            }
            assertThat(snapshots(folder)).isNotEmpty();

            try (ServerProcess kafka = folder.serveByKafka()) {
                assertThat(levels(folder)).containsEntry("kraft.version", 1).containsEntry("share.version", 1);
                assertThat(topics(folder)).containsKey("of-ours-0");
                kafka.stop();
            }
        }
    }

    /** Kafka's own image of a snapshot, as its metadata shell makes it. */
    private static MetadataImage read(Path snapshot) throws Exception {
        MetadataDelta delta =
                new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        try (BatchFileReader reader =
                new BatchFileReader.Builder().setPath(snapshot.toString()).build()) {
            while (reader.hasNext()) {
                BatchFileReader.BatchAndType batch = reader.next();
                if (!batch.isControl()) {
                    for (ApiMessageAndVersion record : batch.batch().records()) {
                        delta.replay(record.message());
                    }
                }
            }
        }
        return delta.apply(MetadataProvenance.EMPTY);
    }

    private static List<Path> snapshots(DataFolder folder) throws Exception {
        try (Stream<Path> files = Files.list(folder.file(METADATA, ""))) {
            return files.filter(file -> file.toString().endsWith(".checkpoint"))
                    .filter(file -> !file.getFileName().toString().startsWith("00000000000000000000-"))
                    .sorted()
                    .toList();
        }
    }

    private static void create(DataFolder folder, String prefix) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", folder.bootstrapServers()))) {
            Set<String> names = new TreeSet<>();
            // One after the other, as each makes a batch of its own.
            for (int i = 0; i < 12; i++) {
                names.add(prefix + "-" + i);
                admin.createTopics(List.of(new NewTopic(prefix + "-" + i, 5, (short) 1)))
                        .all()
                        .get();
            }
            // They are made once the controller says so; the broker hears of it a little later.
            Set<String> seen = Set.of();
            for (int tries = 0; tries < 1_000 && !seen.containsAll(names); tries++) {
                seen = admin.listTopics().names().get();
            }
            assertThat(seen).containsAll(names);
        }
    }

    private static Map<String, Uuid> topics(DataFolder folder) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", folder.bootstrapServers()))) {
            Map<String, Uuid> ids = new HashMap<>();
            admin.listTopics().listings().get().forEach(topic -> ids.put(topic.name(), topic.topicId()));
            return ids;
        }
    }

    private static Map<String, Integer> levels(DataFolder folder) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", folder.bootstrapServers()))) {
            Map<String, Integer> levels = new HashMap<>();
            for (Map.Entry<String, FinalizedVersionRange> feature : admin.describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .entrySet()) {
                levels.put(feature.getKey(), (int) feature.getValue().maxVersionLevel());
            }
            return levels;
        }
    }
}
