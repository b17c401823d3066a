package io.tidemark.broker.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Linux's page cache: {@code mincore} over a mapping of its own, and {@code posix_fadvise}. Needs no privilege. */
final class LinuxPageCache implements PageCache {
    /** So much of a file is mapped and looked at in one go; a multiple of every page size. */
    private static final long WINDOW_BYTES = 1L << 30;

    private static final int READ_BYTES = 1 << 20;

    private final LinuxCalls calls;

    LinuxPageCache(LinuxCalls calls) {
        this.calls = calls;
    }

    /** Looked for once in a process, and not before the first use: to look may print a warning of Java's. */
    static PageCache ofThisProcess() {
        return OfThisProcess.LOOKED_FOR.pageCache();
    }

    @Override
    public PageResidency residency(DiskFile file) throws IOException {
        try {
            int descriptor = calls.open(file.path().toString());
            try {
                return residency(descriptor, file.size());
            } finally {
                calls.close(descriptor);
            }
        } catch (IOException e) {
            throw FileSystemDisk.failed("look at the page cache of", file.path(), e);
        }
    }

    private PageResidency residency(int descriptor, long sizeBytes) throws IOException {
        int pageSize = calls.getpagesize();
        PageResidency residency = PageResidency.EMPTY;
        for (long position = 0; position < sizeBytes; position += WINDOW_BYTES) {
            long bytes = Math.min(WINDOW_BYTES, sizeBytes - position);
            ByteBuffer pages = ByteBuffer.allocateDirect((int) ((bytes + pageSize - 1) / pageSize));
            long address = calls.mmap(descriptor, position, bytes);
            try {
                calls.mincore(address, bytes, pages);
            } finally {
                calls.munmap(address, bytes);
            }
            residency = residency.plus(count(pages));
        }
        return residency;
    }

    private static PageResidency count(ByteBuffer pages) {
        long resident = 0;
        for (int page = 0; page < pages.capacity(); page++) {
            resident += pages.get(page) & 1;
        }
        return new PageResidency(resident, pages.capacity());
    }

    @Override
    public void drop(DiskFile file) throws IOException {
        file.force(true);
        try {
            writeBack(file.path());
            int descriptor = calls.open(file.path().toString());
            try {
                calls.fadviseDontNeed(descriptor);
            } finally {
                calls.close(descriptor);
            }
        } catch (IOException e) {
            throw FileSystemDisk.failed("drop the page cache of", file.path(), e);
        }
    }

    /** Only pages that are written back are dropped, whatever the file's own disk makes of a force. */
    private static void writeBack(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    @Override
    public void warm(DiskFile file) throws IOException {
        ByteBuffer target = ByteBuffer.allocateDirect(READ_BYTES);
        long position = 0;
        int count = file.read(target, position);
        while (count > 0) {
            position += count;
            target.clear();
            count = file.read(target, position);
        }
    }

    /** Either the page cache, or what keeps this process from controlling it. */
    private record OfThisProcess(@Nullable LinuxCalls calls, String refusal) {
        static final OfThisProcess LOOKED_FOR = lookFor();

        private static OfThisProcess lookFor() {
            try {
                return new OfThisProcess(LinuxCalls.find(Platform.ofThisProcess()), "");
            } catch (UnsupportedOperationException e) {
                return new OfThisProcess(null, String.valueOf(e.getMessage()));
            }
        }

        PageCache pageCache() {
            if (calls == null) {
                throw new UnsupportedOperationException(refusal);
            }
            return new LinuxPageCache(calls);
        }
    }
}
