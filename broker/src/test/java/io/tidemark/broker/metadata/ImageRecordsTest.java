package io.tidemark.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.MetadataRecordSerde;
import io.tidemark.broker.protocol.VersionedMessage;
import io.tidemark.broker.protocol.metadata.BrokerRegistrationChangeRecord;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ImageRecordsTest {
    private static final int SEEDS = 300;

    @Test
    void imageSurvivesBeingWrittenAndRead() {
        for (long seed = 0; seed < SEEDS; seed++) {
            MetadataImage image = new RandomImages(new SplittableRandom(seed)).next();

            MetadataImage read = replayed(MetadataImage.EMPTY, ImageRecords.of(image), image);

            assertThat(read).as("seed %d", seed).isEqualTo(image);
        }
    }

    @Test
    void whatDiffersMakesOneImageOfAnother() {
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomImages images = new RandomImages(new SplittableRandom(seed));
            MetadataImage before = images.next();
            MetadataImage after = images.next();

            MetadataImage reached = replayed(before, ImageRecords.between(before, after), after);

            assertThat(reached).as("seed %d", seed).isEqualTo(after);
            assertThat(MetadataDelta.between(before, after).apply())
                    .as("seed %d", seed)
                    .isEqualTo(after);
            assertThat(ImageRecords.between(after, after)).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void metadataVersionComesFirst() {
        MetadataImage image = new RandomImages(new SplittableRandom(3)).next();

        assertThat(ImageRecords.of(image).get(0))
                .isEqualTo(new FeatureLevelRecord()
                        .setName("metadata.version")
                        .setFeatureLevel(image.featureLevel("metadata.version")));
    }

    @Test
    void deltaBetweenImagesTellsOfEveryPartitionAndTopicThatChanged() {
        PartitionRegistration one = partition(1);
        MetadataImage before = withTopics(
                new TopicImage("kept", new Uuid(1, 1), new TreeMap<>(sorted(one, one))),
                new TopicImage("gone", new Uuid(1, 2), new TreeMap<>(sorted(one))));
        MetadataImage after = withTopics(
                new TopicImage("kept", new Uuid(1, 1), new TreeMap<>(sorted(one, partition(2)))),
                new TopicImage("new", new Uuid(1, 3), new TreeMap<>(sorted(one))));

        MetadataDelta delta = MetadataDelta.between(before, after);

        assertThat(delta.deletedTopics()).extracting(TopicImage::name).containsExactly("gone");
        assertThat(delta.changedPartitions().keySet())
                .extracting(partition -> partition.topicPartition().toString())
                .containsExactlyInAnyOrder("kept-1", "new-0");
    }

    @Test
    void recordsAreWrittenAtTheVersionsOfTheFinalizedLevel() {
        PartitionRecord partition =
                new PartitionRecord().setDirectories(List.of(new Uuid(1, 1))).setEligibleLeaderReplicas(List.of(1));
        PartitionChangeRecord change = new PartitionChangeRecord().setDirectories(List.of(new Uuid(1, 1)));
        RegisterBrokerRecord broker = new RegisterBrokerRecord().setLogDirs(List.of(new Uuid(1, 1)));

        assertThat(versionsAt(7, partition, change, broker)).containsExactly(0, 0, 1);
        assertThat(versionsAt(8, partition, change, broker)).containsExactly(0, 0, 2);
        assertThat(versionsAt(16, partition, change, broker)).containsExactly(0, 0, 2);
        assertThat(versionsAt(17, partition, change, broker)).containsExactly(1, 1, 3);
        assertThat(versionsAt(22, partition, change, broker)).containsExactly(1, 1, 3);
        assertThat(versionsAt(23, partition, change, broker)).containsExactly(2, 2, 3);
        assertThat(versionsAt(30, partition, change, broker)).containsExactly(2, 2, 4);
    }

    @Test
    void brokerChangesAreWrittenAtTheLeastVersionThatHasRoom() {
        assertThat(versionsAt(
                        33,
                        new BrokerRegistrationChangeRecord().setFenced((byte) 1),
                        new BrokerRegistrationChangeRecord().setInControlledShutdown((byte) 1),
                        new BrokerRegistrationChangeRecord().setLogDirs(List.of(new Uuid(1, 1))),
                        new BrokerRegistrationChangeRecord().setCordonedLogDirs(List.of())))
                .containsExactly(0, 1, 2, 3);
    }

    private static List<Integer> versionsAt(int metadataVersion, ApiMessage... records) {
        return List.of(records).stream()
                .map(record -> read(record, (short) metadataVersion))
                .map(read -> (int) read.version())
                .toList();
    }

    private static MetadataImage replayed(MetadataImage base, List<ApiMessage> records, MetadataImage end) {
        MetadataDelta delta = new MetadataDelta(base);
        for (ApiMessage record : records) {
            delta.replay(0, 0, read(record, RecordFormat.NEWEST).message());
        }
        delta.advance(end.lastOffset(), end.lastLeaderEpoch());
        return delta.apply();
    }

    private static VersionedMessage read(ApiMessage record, short metadataVersion) {
        return MetadataRecordSerde.read(Unpooled.wrappedBuffer(RecordFormat.write(record, metadataVersion)));
    }

    private static MetadataImage withTopics(TopicImage... topics) {
        TreeMap<String, TopicImage> byName = new TreeMap<>();
        for (TopicImage topic : topics) {
            byName.put(topic.name(), topic);
        }
        return new MetadataImage(
                1, 1, ClusterImage.EMPTY, new TopicsImage(byName), Map.of(), new TreeMap<>(), 0, CarriedRecords.EMPTY);
    }

    private static TreeMap<Integer, PartitionRegistration> sorted(PartitionRegistration... partitions) {
        TreeMap<Integer, PartitionRegistration> sorted = new TreeMap<>();
        for (int i = 0; i < partitions.length; i++) {
            sorted.put(i, partitions[i]);
        }
        return sorted;
    }

    private static PartitionRegistration partition(int leader) {
        return new PartitionRegistration(
                List.of(1, 2),
                List.of(new Uuid(2, 1), new Uuid(2, 2)),
                List.of(1, 2),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                leader,
                (byte) 0,
                1,
                1);
    }
}
