package io.tidemark.broker.quorum;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.raft.ElectionState;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code quorum-state}, in the folder of the metadata log: one JSON object. Version 0 names the voters, which with
 * voters that are given by configuration is what Kafka writes; version 1, of kraft.version 1, names the directory that
 * was voted for instead. Both are read.
 *
 * <pre>{@code
 * {"clusterId":"","leaderId":1,"leaderEpoch":2,"votedId":-1,"appliedOffset":0,
 *  "currentVoters":[{"voterId":1}],"data_version":0}
 * }</pre>
 *
 * <p>Crash policy: the file is replaced as a whole and forced, so after a crash it is the old one or the new one.
 */
final class QuorumStateFile {
    private static final String NAME = "quorum-state";

    private final Disk disk;
    private final Path file;
    private final SortedSet<Integer> voters;

    /**
     * @param folder the folder of the metadata log
     */
    QuorumStateFile(Disk disk, Path folder, SortedSet<Integer> voters) {
        this.disk = disk;
        this.file = folder.resolve(NAME);
        this.voters = voters;
    }

    /** What was written last; the initial state where there is no file. */
    ElectionState read() throws IOException {
        return disk.exists(file) ? parse(content()) : ElectionState.INITIAL;
    }

    /**
     * What {@link #note} left; the initial state also where a power loss left only a part of it, for it is asked anew
     * anyway.
     */
    ElectionState readNoted() throws IOException {
        if (!disk.exists(file)) {
            return ElectionState.INITIAL;
        }
        String json = content();
        try {
            return parse(json);
        } catch (IOException | IllegalArgumentException e) {
            return ElectionState.INITIAL;
        }
    }

    private String content() throws IOException {
        return new String(disk.readAll(file), StandardCharsets.UTF_8);
    }

    private ElectionState parse(String json) throws IOException {
        String votedDirectory = textField(json, "votedDirectoryId");
        return new ElectionState(
                intField(json, "leaderEpoch"),
                intField(json, "leaderId"),
                intField(json, "votedId"),
                votedDirectory == null ? Uuid.ZERO : Uuid.fromString(votedDirectory));
    }

    /** Blocks until it is durable, as a voter must. From any thread, one at a time. */
    void write(ElectionState state, short kraftVersion) throws IOException {
        disk.replace(file, bytes(state, kraftVersion));
    }

    /** Writes it without waiting for the disk: for an observer, who has no vote to forget. */
    void note(ElectionState state, short kraftVersion) throws IOException {
        disk.rewrite(file, bytes(state, kraftVersion));
    }

    private byte[] bytes(ElectionState state, short kraftVersion) {
        if (kraftVersion > 0) {
            return ("{\"leaderId\":" + state.leaderId() + ",\"leaderEpoch\":" + state.leaderEpoch() + ",\"votedId\":"
                            + state.votedId() + ",\"votedDirectoryId\":\"" + state.votedDirectoryId()
                            + "\",\"data_version\":1}")
                    .getBytes(StandardCharsets.UTF_8);
        }
        StringBuilder json = new StringBuilder("{\"clusterId\":\"\",\"leaderId\":")
                .append(state.leaderId())
                .append(",\"leaderEpoch\":")
                .append(state.leaderEpoch())
                .append(",\"votedId\":")
                .append(state.votedId())
                .append(",\"appliedOffset\":0,\"currentVoters\":[");
        String separator = "";
        for (int voter : voters) {
            json.append(separator).append("{\"voterId\":").append(voter).append('}');
            separator = ",";
        }
        json.append("],\"data_version\":0}");
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    private int intField(String json, String name) throws IOException {
        Matcher matcher =
                Pattern.compile("\"" + name + "\"\\s*:\\s*(-?\\d{1,10})").matcher(json);
        if (!matcher.find()) {
            throw new IOException("Quorum state in " + file + " has no number [" + name + "]: " + json
                    + ". Restore the file; without it this node could vote twice in an epoch");
        }
        return Integer.parseInt(matcher.group(1));
    }

    private static @Nullable String textField(String json, String name) {
        Matcher matcher =
                Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
        return matcher.find() ? matcher.group(1) : null;
    }
}
