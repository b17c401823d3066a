package io.tidemark.broker.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PageCacheTest {
    private static final int SIZE_BYTES = 3_000_000;

    /** Their pages are the file itself, or are held by another file system below. */
    private static final Set<String> KEEP_THEIR_PAGES = Set.of("tmpfs", "ramfs", "overlay");

    private final Disk disk = new FileSystemDisk();

    @TempDir
    Path folder;

    /** Every way to the C library that this Java has. */
    static Stream<Named<LinuxCalls>> ways() throws ReflectiveOperationException {
        Assumptions.assumeTrue(
                Platform.ofThisProcess().isLinuxOf64Bits(),
                "page cache control needs Linux of 64 bits, and this is " + Platform.ofThisProcess());
        Stream<Named<LinuxCalls>> jna = Stream.of(Named.of("JNA", new JnaCalls()));
        return Runtime.version().feature() < 22
                ? jna
                : Stream.concat(jna, Stream.of(Named.of("java.lang.foreign", new ForeignCalls())));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void dropEmptiesTheCacheOfAFileAndWarmFillsItAgain(LinuxCalls calls) throws IOException {
        assumePagesCanBeDropped();
        PageCache pages = new LinuxPageCache(calls);
        try (DiskFile file = disk.open(folder.resolve("f"))) {
            file.write(ByteBuffer.allocate(SIZE_BYTES), 0);
            PageResidency whole = wholeOf(calls);

            assertThat(pages.residency(file)).isEqualTo(whole);
            pages.drop(file);
            assertThat(pages.residency(file)).isEqualTo(new PageResidency(0, whole.pages()));
            pages.warm(file);
            assertThat(pages.residency(file)).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aReadBringsBackOnlyAPartOfWhatWasDropped(LinuxCalls calls) throws IOException {
        assumePagesCanBeDropped();
        PageCache pages = new LinuxPageCache(calls);
        try (DiskFile file = disk.open(folder.resolve("f"))) {
            file.write(ByteBuffer.allocate(SIZE_BYTES), 0);
            pages.drop(file);

            file.read(ByteBuffer.allocate(1), SIZE_BYTES / 2);

            assertThat(pages.residency(file).residentPages())
                    .isPositive()
                    .isLessThan(wholeOf(calls).pages());
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void anEmptyFileHasNoPages(LinuxCalls calls) throws IOException {
        PageCache pages = new LinuxPageCache(calls);
        try (DiskFile file = disk.open(folder.resolve("f"))) {
            pages.drop(file);
            pages.warm(file);

            assertThat(pages.residency(file)).isEqualTo(PageResidency.EMPTY);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aFailureNamesTheFileAndTheCall(LinuxCalls calls) throws IOException {
        Path gone = folder.resolve("f");
        try (DiskFile file = disk.open(gone)) {
            Files.delete(gone);

            assertThatThrownBy(() -> new LinuxPageCache(calls).residency(file))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Cannot look at the page cache of " + gone + ": open failed with errno 2");
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aBadCallFails(LinuxCalls calls) {
        assertThatThrownBy(() -> calls.fadviseDontNeed(-1)).hasMessage("posix_fadvise failed with errno 9");
        assertThatThrownBy(() -> calls.mmap(-1, 0, 1)).hasMessage("mmap failed with errno 9");
        assertThatThrownBy(() -> calls.munmap(1, 1)).hasMessage("munmap failed with errno 22");
        assertThatThrownBy(() -> calls.mincore(1, 1, ByteBuffer.allocateDirect(1)))
                .hasMessage("mincore failed with errno 22");
        assertThatThrownBy(() -> calls.close(-1)).hasMessage("close failed with errno 9");
    }

    @ParameterizedTest
    @MethodSource("ways")
    void theFileSystemsDiskGivesThePageCache(LinuxCalls calls) throws IOException {
        try (DiskFile file = disk.open(folder.resolve("f"))) {
            file.write(ByteBuffer.allocate(1), 0);

            assertThat(disk.pageCache().residency(file).pages()).isEqualTo(1);
        }
    }

    @Test
    void anotherSystemIsRefusedByName() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> LinuxCalls.find(new Platform("Mac OS X", "aarch64", "21.0.1")))
                .withMessage("Page cache control is not available on Mac OS X/aarch64, Java 21.0.1:"
                        + " it needs Linux of 64 bits");
    }

    private PageResidency wholeOf(LinuxCalls calls) {
        long pages = (SIZE_BYTES + calls.getpagesize() - 1) / calls.getpagesize();
        return new PageResidency(pages, pages);
    }

    private void assumePagesCanBeDropped() throws IOException {
        String type = Files.getFileStore(folder).type();
        Assumptions.assumeFalse(
                KEEP_THEIR_PAGES.contains(type),
                "the temporary folder " + folder + " is on [" + type + "], which keeps its pages; set java.io.tmpdir to"
                        + " a folder on a disk");
    }
}
