package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What settings of a topic make of its log's files and of what is durable. */
class LogSettingsTest {
    private static final String FIRST = "00000000000000000000";
    private static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void indexesHaveTheirFullSizeWhileTheirSegmentIsWrittenToAndTakeNoBlocks() throws Exception {
        try (LogBench bench = LogBench.in(folder, "file.delete.delay.ms", "0")) {
            bench.append("a");

            assertThat(Files.size(bench.file(FIRST + ".timeindex"))).isEqualTo(10_485_756);
            assertThat(Files.size(bench.file(FIRST + ".index"))).isEqualTo(10_485_760);
            assertThat(blocksOf(bench.file(FIRST + ".timeindex"))).isZero();
            assertThat(blocksOf(bench.file(FIRST + ".index"))).isZero();

            bench.log.roll(NOW);
            assertThat(Files.size(bench.file(FIRST + ".timeindex"))).isEqualTo(12);
            assertThat(Files.size(bench.file(FIRST + ".index"))).isZero();
            assertThat(Files.size(bench.file("00000000000000000001.timeindex"))).isEqualTo(10_485_756);

            bench.restart();
            assertThat(Files.size(bench.file(FIRST + ".timeindex"))).isEqualTo(12);
            assertThat(Files.size(bench.file("00000000000000000001.timeindex"))).isEqualTo(10_485_756);
            bench.crash();
            assertThat(Files.size(bench.file("00000000000000000001.timeindex"))).isEqualTo(10_485_756);
        }
    }

    @Test
    void lateIndexesComeWithTheirFirstEntryOrWithTheClose() throws IOException {
        try (LogBench bench = LogBench.in(folder, "index.interval.bytes", "100")) {
            TopicPartition late = new TopicPartition("late", 0);
            LogConfig config = bench.config().withLateIndexes();
            Path index = folder.resolve("late-0").resolve(FIRST + ".index");
            Path timeIndex = folder.resolve("late-0").resolve(FIRST + ".timeindex");

            PartitionLog log = bench.directory.openPartition(late, new Uuid(7, 78), config, NOW);
            log.appendAsLeader(LogBench.batch(NOW, "a"), 0, AppendOrigin.CLIENT, NOW);
            assertThat(index).doesNotExist();
            assertThat(timeIndex).doesNotExist();

            bench.directory.close(5);
            assertThat(index).isEmptyFile();
            assertThat(timeIndex).hasSize(12);

            bench.directory = LogDirectory.open(bench.disk, folder, bench.loop);
            bench.directory.openPartitions(partition -> config, NOW);
            log = bench.directory.openPartition(late, new Uuid(7, 78), config, NOW);
            assertThat(LogBench.valuesFrom(log, 0)).containsExactly("a");
            assertThat(index).isEmptyFile();
            log.appendAsLeader(LogBench.batch(NOW + 1, "b", "c", "d"), 0, AppendOrigin.CLIENT, NOW);
            log.appendAsLeader(LogBench.batch(NOW + 2, "e"), 0, AppendOrigin.CLIENT, NOW);
            assertThat(index).hasSize(10_485_760);
            assertThat(timeIndex).hasSize(10_485_756);

            bench.directory.abandon();
            Files.delete(index);
            bench.directory = LogDirectory.open(bench.disk, folder, bench.loop);
            bench.directory.openPartitions(partition -> config, NOW);
            log = bench.directory.openPartition(late, new Uuid(7, 78), config, NOW);
            assertThat(LogBench.valuesFrom(log, 0)).containsExactly("a", "b", "c", "d", "e");
        }
    }

    @Test
    void aPreallocatedSegmentHasItsFullSizeUntilItIsClosed() throws IOException {
        try (LogBench bench = LogBench.in(folder, "preallocate", "true", "segment.bytes", Integer.toString(MIB))) {
            bench.append("a", "b");

            assertThat(Files.size(bench.file(FIRST + ".log"))).isEqualTo(MIB);
            assertThat(bench.valuesFrom(0)).containsExactly("a", "b");

            bench.log.roll(NOW);
            assertThat(Files.size(bench.file(FIRST + ".log"))).isLessThan(MIB);
            assertThat(Files.size(bench.file("00000000000000000002.log"))).isEqualTo(MIB);
            bench.append("c");
            bench.crash();
            assertThat(bench.valuesFrom(0)).containsExactly("a", "b", "c");
            bench.restart();
            assertThat(bench.valuesFrom(0)).containsExactly("a", "b", "c");
        }
    }

    @Test
    void flushMessagesForcesTheLogWhenSoManyRecordsAreNotDurable() throws IOException {
        try (LogBench bench = LogBench.in(folder, "flush.messages", "3")) {
            bench.append("a", "b");
            assertThat(bench.log.recoveryPoint()).isZero();

            bench.append("c");

            assertThat(bench.log.recoveryPoint()).isEqualTo(3);
            bench.append("d");
            assertThat(bench.log.recoveryPoint()).isEqualTo(3);
        }
    }

    @Test
    void flushMsIsDueWhenTheFirstRecordThatIsNotDurableIsOldEnough() throws Exception {
        try (LogBench bench = LogBench.in(folder, "flush.ms", "1000")) {
            assertThat(bench.log.isFlushDue(NOW + 5000)).isFalse();
            bench.append("a");

            assertThat(bench.log.isFlushDue(NOW + 999)).isFalse();
            assertThat(bench.log.isFlushDue(NOW + 1000)).isTrue();
            bench.log.flushed(bench.log.flushWork().call());
            assertThat(bench.log.isFlushDue(NOW + 5000)).isFalse();
        }
    }

    @Test
    void jitterShortensTheLifeOfASegmentByAnotherTimeForEach() throws IOException {
        try (LogBench bench = LogBench.in(folder, "segment.ms", "10000", "segment.jitter.ms", "8000")) {
            Set<Long> lives = new TreeSet<>();
            long nowMs = NOW;
            for (int segment = 1; segment <= 5; segment++) {
                long bornMs = nowMs;
                bench.log.appendAsLeader(LogBench.batch(nowMs, "x"), 0, AppendOrigin.CLIENT, nowMs);
                while (bench.log.segmentCount() == segment) {
                    nowMs += 100;
                    bench.log.appendAsLeader(LogBench.batch(nowMs, "x"), 0, AppendOrigin.CLIENT, nowMs);
                }
                lives.add(nowMs - bornMs);
            }

            assertThat(lives).hasSizeGreaterThan(2).allMatch(life -> life >= 1900 && life <= 10_100);
        }
    }

    private static long blocksOf(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "--format=%b", file.toString()).start();
        return Long.parseLong(new String(stat.getInputStream().readAllBytes()).trim());
    }
}
