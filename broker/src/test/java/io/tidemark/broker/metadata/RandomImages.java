package io.tidemark.broker.metadata;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.AccessControlEntryRecord;
import io.tidemark.broker.protocol.metadata.ClientQuotaRecord;
import io.tidemark.broker.protocol.metadata.DelegationTokenRecord;
import io.tidemark.broker.protocol.metadata.UserScramCredentialRecord;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Images with everything in them that an image knows, by a seed. Few names, so that two images have some in common. */
public final class RandomImages {
    private final RandomGenerator random;

    public RandomImages(RandomGenerator random) {
        this.random = random;
    }

    public MetadataImage next() {
        SortedMap<String, ApiMessage> carried = new TreeMap<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            CarriedRecords.replay(carried, carried());
        }
        TopicsImage topics = topics();
        return new MetadataImage(
                random.nextInt(1_000_000),
                random.nextInt(20),
                new ClusterImage(brokers(), controllers()),
                topics,
                configs(topics),
                features(),
                random.nextBoolean() ? 0 : random.nextInt(1_000_000),
                new CarriedRecords(carried));
    }

    private SortedMap<String, Short> features() {
        SortedMap<String, Short> features = new TreeMap<>();
        features.put(ImageRecords.METADATA_VERSION, (short) (30 + random.nextInt(4)));
        for (String name : List.of("group.version", "share.version", "transaction.version")) {
            if (random.nextBoolean()) {
                features.put(name, (short) (1 + random.nextInt(2)));
            }
        }
        return features;
    }

    private SortedMap<Integer, BrokerRegistration> brokers() {
        SortedMap<Integer, BrokerRegistration> brokers = new TreeMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            int id = random.nextInt(8);
            brokers.put(
                    id,
                    new BrokerRegistration(
                            id,
                            random.nextInt(3),
                            uuid(),
                            endpoints(),
                            random.nextBoolean() ? null : "rack-" + random.nextInt(3),
                            random.nextBoolean(),
                            random.nextBoolean(),
                            uuids(2),
                            random.nextBoolean() ? null : uuids(2),
                            ranges()));
        }
        return brokers;
    }

    private SortedMap<Integer, ControllerRegistration> controllers() {
        SortedMap<Integer, ControllerRegistration> controllers = new TreeMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            int id = 3000 + random.nextInt(4);
            controllers.put(id, new ControllerRegistration(id, uuid(), endpoints(), ranges()));
        }
        return controllers;
    }

    private List<Endpoint> endpoints() {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String listener : List.of("CLIENT", "PEER")) {
            if (random.nextBoolean()) {
                endpoints.add(new Endpoint(
                        listener, "host-" + random.nextInt(3), random.nextInt(65_536), (short) random.nextInt(4)));
            }
        }
        return endpoints;
    }

    private SortedMap<String, FeatureRange> ranges() {
        SortedMap<String, FeatureRange> ranges = new TreeMap<>();
        for (String name : List.of(ImageRecords.METADATA_VERSION, "group.version")) {
            if (random.nextBoolean()) {
                ranges.put(name, new FeatureRange((short) random.nextInt(3), (short) (3 + random.nextInt(30))));
            }
        }
        return ranges;
    }

    private TopicsImage topics() {
        SortedMap<String, TopicImage> topics = new TreeMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            String name = "topic-" + random.nextInt(8);
            // One in three has another id than a topic of this name in another image.
            Uuid id = new Uuid(5, name.hashCode() * 3L + random.nextInt(3));
            SortedMap<Integer, PartitionRegistration> partitions = new TreeMap<>();
            for (int partition = random.nextInt(4); partition >= 0; partition--) {
                partitions.put(partition, partition());
            }
            topics.put(name, new TopicImage(name, id, partitions));
        }
        return new TopicsImage(topics);
    }

    private PartitionRegistration partition() {
        int count = 1 + random.nextInt(3);
        return new PartitionRegistration(
                ids(count),
                uuids(count),
                ids(random.nextInt(3)),
                ids(random.nextInt(2)),
                ids(random.nextInt(2)),
                ids(random.nextInt(3)),
                ids(random.nextInt(2)),
                random.nextInt(4) - 1,
                (byte) random.nextInt(2),
                random.nextInt(3),
                random.nextInt(3));
    }

    private Map<ConfigResource, SortedMap<String, String>> configs(TopicsImage topics) {
        Map<ConfigResource, SortedMap<String, String>> configs = new LinkedHashMap<>();
        List<ConfigResource> resources = new ArrayList<>(
                List.of(ConfigResource.brokerDefault(), ConfigResource.broker(1), ConfigResource.broker(2)));
        topics.byName().keySet().forEach(name -> resources.add(ConfigResource.topic(name)));
        for (ConfigResource resource : resources) {
            SortedMap<String, String> values = new TreeMap<>();
            for (String name : List.of("min.insync.replicas", "retention.ms", "cleanup.policy")) {
                if (random.nextInt(3) == 0) {
                    values.put(name, "value " + random.nextInt(3));
                }
            }
            if (!values.isEmpty()) {
                configs.put(resource, values);
            }
        }
        return configs;
    }

    private ApiMessage carried() {
        return switch (random.nextInt(4)) {
            case 0 ->
                new AccessControlEntryRecord()
                        .setId(new Uuid(7, random.nextInt(5)))
                        .setResourceType((byte) 2)
                        .setResourceName("topic-" + random.nextInt(3))
                        .setPatternType((byte) 3)
                        .setPrincipal("User:u" + random.nextInt(3))
                        .setHost("*")
                        .setOperation((byte) 3)
                        .setPermissionType((byte) 3);
            case 1 ->
                new UserScramCredentialRecord()
                        .setName("u" + random.nextInt(3))
                        .setMechanism((byte) (1 + random.nextInt(2)))
                        .setSalt(bytes())
                        .setStoredKey(bytes())
                        .setServerKey(bytes())
                        .setIterations(4096 + random.nextInt(3));
            case 2 ->
                new DelegationTokenRecord()
                        .setOwner("User:u" + random.nextInt(3))
                        .setRequester("User:u" + random.nextInt(3))
                        .setTokenId("t" + random.nextInt(3))
                        .setExpirationTimestamp(random.nextInt(3));
            default -> quota();
        };
    }

    private ClientQuotaRecord quota() {
        List<ClientQuotaRecord.EntityData> entity = new ArrayList<>();
        entity.add(new ClientQuotaRecord.EntityData()
                .setEntityType("user")
                .setEntityName(random.nextBoolean() ? null : "u" + random.nextInt(3)));
        if (random.nextBoolean()) {
            entity.add(new ClientQuotaRecord.EntityData()
                    .setEntityType("client-id")
                    .setEntityName("c" + random.nextInt(3)));
        }
        return new ClientQuotaRecord()
                .setEntity(entity)
                .setKey("producer_byte_rate")
                .setValue(random.nextInt(3));
    }

    private List<Integer> ids(int count) {
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(random.nextInt(6));
        }
        return ids;
    }

    private List<Uuid> uuids(int count) {
        List<Uuid> uuids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            uuids.add(uuid());
        }
        return uuids;
    }

    private Uuid uuid() {
        return new Uuid(9, random.nextInt(4));
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(5)];
        random.nextBytes(bytes);
        return bytes;
    }
}
