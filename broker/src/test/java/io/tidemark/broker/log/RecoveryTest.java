package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;
import static io.tidemark.broker.log.LogBench.batch;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
    private static final String FIRST_LOG = "00000000000000000000.log";
    private static final String FIRST_INDEX = "00000000000000000000.index";
    private static final String FIRST_TIME_INDEX = "00000000000000000000.timeindex";

    @TempDir
    Path folder;

    @Test
    void aTornTailIsCutAtTheLastWholeBatchWhereverItIsTorn() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a", "b");
            bench.append("c");
            long whole = Files.size(bench.file(FIRST_LOG));
            bench.append("torn", "torn too");
            byte[] full = Files.readAllBytes(bench.file(FIRST_LOG));

            for (int length = (int) whole; length < full.length; length++) {
                bench.directory.abandon();
                Files.write(bench.file(FIRST_LOG), java.util.Arrays.copyOf(full, length));
                bench.open();

                assertThat(bench.log.logEndOffset())
                        .as("torn at byte %d", length)
                        .isEqualTo(3);
                assertThat(Files.size(bench.file(FIRST_LOG))).isEqualTo(whole);
                assertThat(bench.valuesFrom(0)).containsExactly("a", "b", "c");
            }
        }
    }

    @Test
    void aWrongByteAnywhereInTheTailIsCutOff() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            int whole = (int) Files.size(bench.file(FIRST_LOG));
            bench.append("damaged");
            byte[] good = Files.readAllBytes(bench.file(FIRST_LOG));

            // Base offset and leader epoch are not under the checksum; the size is held against the file.
            for (int position = whole + 16; position < good.length; position++) {
                bench.directory.abandon();
                byte[] bad = good.clone();
                bad[position] ^= 0x55;
                Files.write(bench.file(FIRST_LOG), bad);
                bench.open();

                assertThat(bench.log.logEndOffset())
                        .as("wrong byte %d", position)
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void garbageBehindTheLastBatchIsCutOffEvenAfterACleanStop() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            bench.directory.close(1);
            Files.write(bench.file(FIRST_LOG), new byte[100], StandardOpenOption.APPEND);
            bench.open();

            assertThat(bench.valuesFrom(0)).containsExactly("a");
            bench.append("b");
            assertThat(bench.valuesFrom(0)).containsExactly("a", "b");
        }
    }

    @Test
    void segmentsAfterATornOneGo() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "100")) {
            for (int i = 0; i < 4; i++) {
                bench.append("v" + i);
            }
            bench.directory.abandon();
            Path second = bench.file("00000000000000000001.log");
            Files.write(second, java.util.Arrays.copyOf(Files.readAllBytes(second), 20));
            bench.open();

            assertThat(bench.log.logEndOffset()).isEqualTo(1);
            assertThat(bench.valuesFrom(0)).containsExactly("v0");
            assertThat(bench.file("00000000000000000002.log")).doesNotExist();
        }
    }

    /** Segments are written to the disk in any order, so that an earlier one may be lost and a later one not. */
    @Test
    void whatFollowsAnEmptySegmentGoesAlsoWhereTheTopicIsCompacted() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "100", "cleanup.policy", "compact")) {
            for (int i = 0; i < 3; i++) {
                bench.log.appendAsLeader(
                        new RecordBatchBuilder()
                                .add(NOW, new byte[] {1}, new byte[30])
                                .build(),
                        0,
                        AppendOrigin.CLIENT,
                        NOW);
            }
            bench.directory.abandon();
            Files.write(bench.file(FIRST_LOG), new byte[0]);
            bench.open();

            assertThat(bench.log.logEndOffset()).isZero();
            assertThat(bench.file("00000000000000000001.log")).doesNotExist();
        }
    }

    @Test
    void indexesRebuiltAfterACrashEqualThoseOfACleanClose() throws IOException {
        try (LogBench bench = LogBench.in(folder, "index.interval.bytes", "200", "internal.segment.bytes", "3000")) {
            for (int i = 0; i < 100; i++) {
                bench.appendAt(NOW + i % 7, "value-" + i);
            }
            bench.directory.close(1);
            Map<String, byte[]> clean = indexes(bench);
            Files.delete(folder.resolve(CleanShutdownFile.FILE_NAME));
            Files.delete(folder.resolve("recovery-point-offset-checkpoint"));
            for (String index : clean.keySet()) {
                Files.write(bench.file(index), new byte[] {1, 2, 3});
            }
            bench.open();
            bench.directory.close(1);

            assertThat(clean).hasSizeGreaterThan(4);
            assertThat(indexes(bench)).containsExactlyEntriesOf(clean);
            bench.open();
        }
    }

    private static Map<String, byte[]> indexes(LogBench bench) throws IOException {
        Map<String, byte[]> found = new java.util.TreeMap<>();
        for (Path file : bench.disk.list(bench.path.resolve("orders-0"))) {
            String name = file.getFileName().toString();
            if (name.endsWith("index")) {
                found.put(name, Files.readAllBytes(file));
            }
        }
        return found;
    }

    @Test
    void anIndexOfGarbageNeitherHangsNorHidesData() throws IOException {
        try (LogBench bench = LogBench.in(folder, "index.interval.bytes", "0")) {
            for (int i = 0; i < 80; i++) {
                bench.append("value-" + i);
            }
            bench.directory.close(1);
            byte[] offsets = Files.readAllBytes(bench.file(FIRST_INDEX));
            for (int i = 0; i < offsets.length - 8; i++) {
                offsets[i] = (byte) (i * 31);
            }
            Files.write(bench.file(FIRST_INDEX), offsets);
            bench.open();

            for (int i = 0; i < 80; i++) {
                assertThat(LogBench.valuesFrom(bench.log, i)).hasSize(80 - i);
            }
        }
    }

    @Test
    void theRecoveryPointSparesWhatWasForced() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "100")) {
            bench.append("v0");
            bench.append("v1");
            bench.log.flush();
            bench.directory.writeCheckpoints();
            bench.append("v2");
            Path index = bench.file(FIRST_TIME_INDEX);
            byte[] before = Files.readAllBytes(index);
            bench.crash();

            assertThat(bench.log.recoveryPoint()).isEqualTo(2);
            assertThat(bench.log.logEndOffset()).isEqualTo(3);
            assertThat(Files.readAllBytes(index)).isEqualTo(before).isNotEmpty();
        }
    }

    @Test
    void indexesThatWereStillOpenAtTheRecoveryPointAreMadeAnew() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            // A flush forces no index that is still written to; the segment ends here only after it.
            bench.log.flush();
            bench.directory.writeCheckpoints();
            bench.log.roll(NOW);
            bench.append("b");
            bench.directory.abandon();
            byte[] lost = new byte[Math.toIntExact(Files.size(bench.file(FIRST_TIME_INDEX)))];
            byte[] whole = Files.readAllBytes(bench.file(FIRST_TIME_INDEX));
            Files.write(bench.file(FIRST_TIME_INDEX), lost);
            bench.open();

            assertThat(whole).isNotEqualTo(lost);
            assertThat(Files.readAllBytes(bench.file(FIRST_TIME_INDEX))).isEqualTo(whole);
        }
    }

    @Test
    void theRecoveryPointNeverPassesTheEnd() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a", "b");
            bench.append("c");
            bench.log.flush();
            bench.directory.writeCheckpoints();
            bench.directory.abandon();
            byte[] log = Files.readAllBytes(bench.file(FIRST_LOG));
            Files.write(bench.file(FIRST_LOG), java.util.Arrays.copyOf(log, log.length - 1));
            bench.open();

            assertThat(bench.log.logEndOffset()).isEqualTo(2);
            assertThat(bench.log.recoveryPoint()).isEqualTo(2);
        }
    }

    @Test
    void leaderEpochsOfAnEarlierHistoryAreCorrectedByTheBatchesForGood() throws IOException {
        for (String old : List.of("0\n1\n0 0\n", "0\n2\n0 0\n3 4\n", "0\n2\n0 0\n7 1\n", "0\n1\n9 1\n")) {
            try (LogBench bench = LogBench.in(folder.resolve("" + old.hashCode()))) {
                for (int epoch = 3; epoch < 5; epoch++) {
                    bench.log.assignEpochStart(epoch, bench.log.logEndOffset());
                    bench.log.appendAsLeader(batch(NOW, "a", "b", "c"), epoch, AppendOrigin.CLIENT, NOW);
                }
                bench.directory.abandon();
                Files.writeString(bench.file(LogFiles.LEADER_EPOCHS), old);
                bench.open();
                assertThat(bench.log.epochStarts()).as("after %s", old).isEqualTo(Map.of(3, 0L, 4, 3L));

                bench.restart();
                assertThat(bench.log.epochStarts()).as("after %s", old).isEqualTo(Map.of(3, 0L, 4, 3L));
            }
        }
    }

    @Test
    void leaderEpochsComeBackOutOfTheBatchesWhereTheirFileIsLost() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            for (int epoch = 2; epoch < 5; epoch++) {
                bench.log.assignEpochStart(epoch, bench.log.logEndOffset());
                bench.log.appendAsLeader(batch(NOW, "a", "b"), epoch, AppendOrigin.CLIENT, NOW);
            }
            Map<Integer, Long> before = bench.log.epochStarts();
            Files.writeString(bench.file(LogFiles.LEADER_EPOCHS), "0\n7\nnonsense");
            bench.crash();

            assertThat(bench.log.epochStarts()).isEqualTo(before).hasSize(3);
        }
    }

    @Test
    void whatIsLeftOfDeletionsAndCompactionsIsRemovedAndNeverRead() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            byte[] log = Files.readAllBytes(bench.file(FIRST_LOG));
            bench.directory.abandon();
            List<Path> strays = new ArrayList<>();
            for (String name : List.of(
                    FIRST_LOG + ".deleted",
                    "00000000000000000005.log.cleaned",
                    "00000000000000000005.log.swap",
                    "00000000000000000009.index")) {
                strays.add(Files.write(bench.file(name), log));
            }
            bench.open();

            assertThat(strays).allSatisfy(stray -> assertThat(stray).doesNotExist());
            assertThat(bench.valuesFrom(0)).containsExactly("a");
        }
    }

    @Test
    void aLogThatIsNotCompactedAnyMoreKeepsWhatLiesBehindItsHoles() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder, "internal.segment.bytes", "200")) {
            for (int i = 0; i < 12; i++) {
                bench.put("a", "version-" + i);
            }
            bench.rollWithFiller();
            bench.clean();
            List<Long> left = new ArrayList<>(bench.records().keySet());
            assertThat(left).containsExactly(11L, 12L);
            bench.put("b", "later");

            bench.logs.configs.put("cleanup.policy", "delete");
            bench.crash();

            assertThat(bench.records().keySet()).containsExactly(11L, 12L, 13L);
        }
    }

    @Test
    void aHoleThatNoCompactionCanHaveLeftIsWhereTheLogEnds() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "100")) {
            for (int i = 0; i < 4; i++) {
                bench.append("v" + i);
            }
            bench.directory.abandon();
            Files.delete(bench.file("00000000000000000002.log"));
            bench.open();

            assertThat(bench.log.logEndOffset()).isEqualTo(2);
            assertThat(bench.valuesFrom(0)).containsExactly("v0", "v1");
        }
    }

    @Test
    void damageAtTheEndIsFoundAlsoAfterAnOrderlyStop() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            bench.append("b");
            bench.directory.close(1);
            byte[] log = Files.readAllBytes(bench.file(FIRST_LOG));
            Files.write(bench.file(FIRST_LOG), java.util.Arrays.copyOf(log, log.length - 1));
            bench.open();

            assertThat(bench.valuesFrom(0)).containsExactly("a");
            assertThat(bench.log.recoveryPoint()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void aRecoveryPointBeyondTheEndIsLoweredDurablyBeforeAnythingIsAppended() throws IOException {
        Path points = folder.resolve("recovery-point-offset-checkpoint");
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a", "b");
            bench.directory.abandon();
            // As a cut inside a batch leaves it that was stopped before it told where the log ends now.
            Files.writeString(points, "0\n1\norders 0 3\n");

            bench.open();

            assertThat(bench.log.recoveryPoint()).isEqualTo(2);
            assertThat(points).hasContent("0\n1\norders 0 2\n");
        }
    }

    @Test
    void aFolderWithoutATopicIdIsTheTopicsThatAsksForItNext() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            bench.directory.abandon();
            Files.delete(bench.file(LogFiles.PARTITION_METADATA));
            bench.open();

            assertThat(bench.valuesFrom(0)).containsExactly("a");
            assertThat(Files.readString(bench.file(LogFiles.PARTITION_METADATA)))
                    .contains(LogBench.ORDERS_ID.toString());
        }
    }
}
