package io.tidemark.broker.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.disk.SimulatedDisk;
import io.tidemark.broker.raft.ElectionState;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QuorumStateFileTest {
    private static final Path FOLDER = Path.of("/data");
    private static final ElectionState ELECTED = new ElectionState(7, 11, -1, Uuid.ZERO);

    private final SimulatedDisk disk = new SimulatedDisk();
    private final QuorumStateFile file = new QuorumStateFile(disk, FOLDER, new TreeSet<>(List.of(11)));

    @BeforeEach
    void makeFolder() throws IOException {
        disk.createDirectories(FOLDER);
    }

    private void leave(String content) throws IOException {
        disk.rewrite(FOLDER.resolve("quorum-state"), content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void tellsWhatWasNoted() throws IOException {
        file.note(ELECTED, (short) 0);

        assertThat(file.readNoted()).isEqualTo(ELECTED);
    }

    @Test
    void anObserversNoteThatALossOfPowerCutIsNone() throws IOException {
        leave("{\"clusterId\":\"\",\"leaderId\":11,\"lead");
        assertThat(file.readNoted()).isEqualTo(ElectionState.INITIAL);

        leave("");
        assertThat(file.readNoted()).isEqualTo(ElectionState.INITIAL);
    }

    @Test
    void aVoterDoesNotForgetItsVote() throws IOException {
        leave("");

        assertThatThrownBy(file::read).isInstanceOf(IOException.class).hasMessageContaining("could vote twice");
    }
}
