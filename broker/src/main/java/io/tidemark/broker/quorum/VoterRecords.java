package io.tidemark.broker.quorum;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.MessageWriter;
import io.tidemark.broker.protocol.message.KRaftVersionRecord;
import io.tidemark.broker.protocol.message.VotersRecord;
import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.raft.VoterSet;
import io.tidemark.broker.types.Endpoint;
import java.util.ArrayList;
import java.util.List;

/** Voters and kraft.version as the values of control records (KIP-853), in the log and in a snapshot's header. */
final class VoterRecords {
    private static final short PLAINTEXT = 0;
    private static final short VERSION = 0;

    private VoterRecords() {}

    static byte[] write(VoterSet voters) {
        VotersRecord record = new VotersRecord().setVersion(VERSION);
        for (Voter voter : voters.voters()) {
            VotersRecord.Voter written = new VotersRecord.Voter()
                    .setVoterId(voter.nodeId())
                    .setVoterDirectoryId(voter.directoryId())
                    .setKRaftVersionFeature(new VotersRecord.KRaftVersionFeature()
                            .setMinSupportedVersion(voter.minKraftVersion())
                            .setMaxSupportedVersion(voter.maxKraftVersion()));
            voter.endpoints().forEach(endpoint -> written.endpoints()
                    .add(new VotersRecord.Endpoint()
                            .setName(endpoint.listener())
                            .setHost(endpoint.host())
                            .setPort(endpoint.port())));
            record.voters().add(written);
        }
        MessageWriter writer = new MessageWriter();
        record.write(writer, VERSION);
        return writer.toByteArray();
    }

    static VoterSet readVoters(ByteBuf value) {
        VotersRecord record = new VotersRecord();
        record.read(new MessageReader(value), VERSION);
        List<Voter> voters = new ArrayList<>();
        for (VotersRecord.Voter written : record.voters()) {
            List<Endpoint> endpoints = new ArrayList<>();
            written.endpoints()
                    .forEach(endpoint ->
                            endpoints.add(new Endpoint(endpoint.name(), endpoint.host(), endpoint.port(), PLAINTEXT)));
            voters.add(new Voter(
                    written.voterId(),
                    written.voterDirectoryId(),
                    endpoints,
                    written.kRaftVersionFeature().minSupportedVersion(),
                    written.kRaftVersionFeature().maxSupportedVersion()));
        }
        return VoterSet.of(voters);
    }

    static byte[] write(short kraftVersion) {
        MessageWriter writer = new MessageWriter();
        new KRaftVersionRecord()
                .setVersion(VERSION)
                .setKRaftVersion(kraftVersion)
                .write(writer, VERSION);
        return writer.toByteArray();
    }

    static short readKraftVersion(ByteBuf value) {
        KRaftVersionRecord record = new KRaftVersionRecord();
        record.read(new MessageReader(value), VERSION);
        return record.kRaftVersion();
    }
}
