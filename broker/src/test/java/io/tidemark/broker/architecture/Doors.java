package io.tidemark.broker.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The doors: what may touch the world outside, and where. Behind them, a cluster can run in virtual time from one
 * seed, and a fault is something that a door does.
 */
final class Doors {
    private static final String REASON = "a node touches the outside world through its doors alone, so that a test can"
            + " move time, lose what was never forced and cut links";

    static final Ban SYSTEM_TIME = Ban.ofMembers(
            "the system's clock",
            REASON,
            "Clock.wallTimeMs() or Clock.monotonicMs(), or in a pure package a nowMs parameter",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.time.Instant.now",
            "java.time.LocalDateTime.now",
            "java.time.LocalDate.now",
            "java.time.ZonedDateTime.now",
            "java.time.OffsetDateTime.now",
            "java.time.Clock.systemUTC",
            "java.time.Clock.systemDefaultZone",
            "java.util.Date.<init>()");

    static final Ban THREADS = Ban.ofTypes(
                    "threads, sleeps and pools",
                    REASON + ", and a node has one loop whose state needs no locks",
                    "Loop.execute, Loop.schedule or Loop.runBeside",
                    "java.lang.Thread",
                    "java.lang.ThreadLocal",
                    "java.util.Timer",
                    "java.util.concurrent.Executors",
                    "java.util.concurrent.Executor",
                    "java.util.concurrent.ExecutorService",
                    "java.util.concurrent.ScheduledExecutorService",
                    "java.util.concurrent.ThreadPoolExecutor",
                    "java.util.concurrent.ForkJoinPool",
                    "java.util.concurrent.CountDownLatch",
                    "java.util.concurrent.Semaphore",
                    "java.util.concurrent.locks.")
            .andMembers(
                    "java.util.concurrent.TimeUnit.sleep",
                    "java.util.concurrent.CompletableFuture.supplyAsync",
                    "java.util.concurrent.CompletableFuture.runAsync",
                    "java.util.concurrent.CompletableFuture.delayedExecutor",
                    "java.util.concurrent.CompletableFuture.orTimeout",
                    "java.util.concurrent.CompletableFuture.completeOnTimeout",
                    "java.lang.Object.wait",
                    "java.util.Collection.parallelStream");

    static final Ban FILES = Ban.ofTypes(
                    "files",
                    REASON,
                    "Disk, DiskFile and MappedFile; a java.nio.file.Path is only a name",
                    "java.io.File",
                    "java.io.FileInputStream",
                    "java.io.FileOutputStream",
                    "java.io.FileReader",
                    "java.io.FileWriter",
                    "java.io.RandomAccessFile",
                    "java.nio.file.Files",
                    "java.nio.file.FileSystem",
                    "java.nio.file.FileSystems",
                    "java.nio.channels.FileChannel",
                    "java.nio.channels.AsynchronousFileChannel")
            .andMembers("java.nio.file.Path.toFile", "java.nio.file.Path.toRealPath");

    static final Ban SOCKETS = Ban.ofTypes(
                    "sockets",
                    REASON,
                    "Network or Peers",
                    "java.net.Socket",
                    "java.net.ServerSocket",
                    "java.net.DatagramSocket",
                    "java.net.URL",
                    "java.net.URLConnection",
                    "java.net.http.",
                    "java.nio.channels.SocketChannel",
                    "java.nio.channels.ServerSocketChannel",
                    "java.nio.channels.DatagramChannel",
                    "java.nio.channels.Selector")
            .andMembers("java.net.InetAddress.getByName", "java.net.InetAddress.getLocalHost");

    static final Ban NETTY_TRANSPORT = Ban.ofTypes(
            "Netty other than its buffers",
            "Netty is how the real network and the real loop are made, and a simulated node has neither",
            "Network, Link and Loop; io.netty.buffer alone may be used everywhere",
            "io.netty.channel.",
            "io.netty.bootstrap.",
            "io.netty.handler.",
            "io.netty.util.concurrent.");

    static final Ban PROCESS = Ban.ofTypes(
                    "the process and its console",
                    "several clusters share this JVM with the user's own code",
                    "an slf4j logger, an exception, or a configuration value",
                    "java.lang.ProcessBuilder",
                    "java.lang.Process",
                    "java.lang.Runtime",
                    "sun.misc.Signal")
            .andMembers(
                    "java.lang.System.out",
                    "java.lang.System.err",
                    "java.lang.System.exit",
                    "java.lang.System.getenv",
                    "java.lang.System.getProperty",
                    "java.lang.System.setProperty",
                    "java.lang.System.setOut",
                    "java.lang.System.setErr",
                    "java.lang.Throwable.printStackTrace()");

    static final Ban UNSEEDED_RANDOM = Ban.ofTypes(
                    "randomness without a seed",
                    "a failure must come again from its seed",
                    "the RandomGenerator that the constructor is given",
                    "java.util.concurrent.ThreadLocalRandom",
                    "java.security.SecureRandom")
            .andMembers(
                    "java.lang.Math.random",
                    "java.util.Random.<init>()",
                    "java.util.SplittableRandom.<init>()",
                    "java.util.UUID.randomUUID",
                    "java.util.random.RandomGenerator.getDefault",
                    "java.util.random.RandomGenerator.of",
                    "java.util.Collections.shuffle(java.util.List)");

    static final Ban NATIVE_CODE = Ban.ofTypes(
            "native code",
            REASON + ", and a library that a user may not have is looked for in one place only",
            "a door; the page cache is behind Disk.pageCache()",
            "com.sun.jna.",
            "java.lang.foreign.");

    /** Each ban with the packages that may pass it: the doors' own implementations. */
    static final Map<Ban, Set<String>> DOOR_PACKAGES = Map.of(
            SYSTEM_TIME, Set.of(),
            THREADS, Set.of("network"),
            FILES, Set.of("disk"),
            SOCKETS, Set.of("network"),
            NETTY_TRANSPORT, Set.of("network"),
            PROCESS, Set.of(),
            UNSEEDED_RANDOM, Set.of(),
            NATIVE_CODE, Set.of("disk"));

    /**
     * Single classes that may pass a ban: what tells on which system and Java the disk door is, and what tells on which
     * node's thread a line is logged.
     */
    private static final Map<Ban, Set<String>> DOOR_CLASSES =
            Map.of(PROCESS, Set.of("disk.Platform"), THREADS, Set.of("journal.NodeLog"));

    static final List<Ban> BANS =
            List.of(SYSTEM_TIME, THREADS, FILES, SOCKETS, NETTY_TRANSPORT, PROCESS, UNSEEDED_RANDOM, NATIVE_CODE);

    /** Classes of the root package that meet the outside world because they are the process's own door. */
    private static final Set<String> ENTRY_POINTS = Set.of("Main");

    private final House house;

    Doors(House house) {
        this.house = house;
    }

    ArchRule rule(Ban ban) {
        return ban.rule(DescribedPredicate.describe("are no door", javaClass -> !mayPass(ban, javaClass)));
    }

    private boolean mayPass(Ban ban, JavaClass javaClass) {
        JavaClass outermost = outermost(javaClass);
        String packageName = house.packageOf(javaClass);
        return DOOR_PACKAGES.getOrDefault(ban, Set.of()).contains(packageName)
                || DOOR_CLASSES.getOrDefault(ban, Set.of()).contains(packageName + "." + outermost.getSimpleName())
                || (packageName.isEmpty() && ENTRY_POINTS.contains(outermost.getSimpleName()))
                || (ban.equals(SYSTEM_TIME) && outermost.isAssignableTo(house.root() + ".time.Clock"));
    }

    private static JavaClass outermost(JavaClass javaClass) {
        return javaClass.getEnclosingClass().map(Doors::outermost).orElse(javaClass);
    }
}
