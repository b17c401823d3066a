package io.tidemark.broker.metadata;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.MetadataRecordSerde;
import io.tidemark.broker.protocol.metadata.BrokerRegistrationChangeRecord;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes records at the versions that a finalized metadata.version stands for, so that every broker that supports this
 * level can read them. What a version has no room for came with a later level, and is left out.
 */
public final class RecordFormat {
    /** Of a log that has no metadata.version yet: the newest there is. */
    public static final short NEWEST = Short.MAX_VALUE;

    private static final short WITH_ZK_MIGRATION = 8;
    private static final short WITH_DIRECTORIES = 17;
    private static final short WITH_ELIGIBLE_LEADERS = 23;
    private static final short WITH_CORDONED_DIRECTORIES = 30;

    private RecordFormat() {}

    /** A record's value, framed. */
    public static byte[] write(ApiMessage record, short metadataVersion) {
        if (record instanceof PartitionRecord partition) {
            return MetadataRecordSerde.write(fitting(partition, metadataVersion), partitionVersion(metadataVersion));
        }
        if (record instanceof PartitionChangeRecord change) {
            return MetadataRecordSerde.write(fitting(change, metadataVersion), partitionVersion(metadataVersion));
        }
        if (record instanceof RegisterBrokerRecord registration) {
            return MetadataRecordSerde.write(
                    fitting(registration, metadataVersion), registrationVersion(metadataVersion));
        }
        if (record instanceof BrokerRegistrationChangeRecord change) {
            return MetadataRecordSerde.write(change, leastVersion(change));
        }
        return MetadataRecordSerde.write(record, record.highestSupportedVersion());
    }

    private static short partitionVersion(short metadataVersion) {
        return (short) (metadataVersion >= WITH_ELIGIBLE_LEADERS ? 2 : metadataVersion >= WITH_DIRECTORIES ? 1 : 0);
    }

    private static short registrationVersion(short metadataVersion) {
        if (metadataVersion >= WITH_CORDONED_DIRECTORIES) {
            return 4;
        }
        if (metadataVersion >= WITH_DIRECTORIES) {
            return 3;
        }
        return (short) (metadataVersion >= WITH_ZK_MIGRATION ? 2 : 1);
    }

    /** The first version that can say all that it says. */
    private static short leastVersion(BrokerRegistrationChangeRecord change) {
        if (change.cordonedLogDirs() != null) {
            return 3;
        }
        if (!change.logDirs().isEmpty()) {
            return 2;
        }
        return (short) (change.inControlledShutdown() != 0 ? 1 : 0);
    }

    private static PartitionRecord fitting(PartitionRecord record, short metadataVersion) {
        if (metadataVersion >= WITH_ELIGIBLE_LEADERS) {
            return record;
        }
        return new PartitionRecord()
                .setPartitionId(record.partitionId())
                .setTopicId(record.topicId())
                .setReplicas(record.replicas())
                .setIsr(record.isr())
                .setRemovingReplicas(record.removingReplicas())
                .setAddingReplicas(record.addingReplicas())
                .setLeader(record.leader())
                .setLeaderRecoveryState(record.leaderRecoveryState())
                .setLeaderEpoch(record.leaderEpoch())
                .setPartitionEpoch(record.partitionEpoch())
                .setDirectories(metadataVersion >= WITH_DIRECTORIES ? record.directories() : List.of());
    }

    private static PartitionChangeRecord fitting(PartitionChangeRecord record, short metadataVersion) {
        if (metadataVersion >= WITH_ELIGIBLE_LEADERS) {
            return record;
        }
        return new PartitionChangeRecord()
                .setPartitionId(record.partitionId())
                .setTopicId(record.topicId())
                .setIsr(record.isr())
                .setLeader(record.leader())
                .setReplicas(record.replicas())
                .setRemovingReplicas(record.removingReplicas())
                .setAddingReplicas(record.addingReplicas())
                .setLeaderRecoveryState(record.leaderRecoveryState())
                .setDirectories(orNull(record.directories(), metadataVersion >= WITH_DIRECTORIES));
    }

    private static RegisterBrokerRecord fitting(RegisterBrokerRecord record, short metadataVersion) {
        if (metadataVersion >= WITH_CORDONED_DIRECTORIES) {
            return record;
        }
        return new RegisterBrokerRecord()
                .setBrokerId(record.brokerId())
                .setIncarnationId(record.incarnationId())
                .setBrokerEpoch(record.brokerEpoch())
                .setEndPoints(record.endPoints())
                .setFeatures(record.features())
                .setRack(record.rack())
                .setFenced(record.fenced())
                .setInControlledShutdown(record.inControlledShutdown())
                .setLogDirs(metadataVersion >= WITH_DIRECTORIES ? record.logDirs() : List.of());
    }

    private static <T> @Nullable T orNull(@Nullable T value, boolean hasRoom) {
        return hasRoom ? value : null;
    }
}
