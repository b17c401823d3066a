package io.tidemark.broker.disk;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;

/** By way of JNA, which is there or not: this class is not touched where {@link ForeignCalls} is possible. */
final class JnaCalls implements LinuxCalls {
    private final NativeLibrary library = NativeLibrary.getInstance("c");
    private final Function open = library.getFunction("open");
    private final Function close = library.getFunction("close");
    private final Function fadvise = library.getFunction("posix_fadvise");
    private final Function mmap = library.getFunction("mmap");
    private final Function munmap = library.getFunction("munmap");
    private final Function mincore = library.getFunction("mincore");
    private final int pageSize = library.getFunction("getpagesize").invokeInt(new Object[0]);

    @Override
    public int getpagesize() {
        return pageSize;
    }

    @Override
    public int open(String path) throws IOException {
        return (int) checked("open", open.invokeInt(new Object[] {path, O_RDONLY_O_CLOEXEC}));
    }

    @Override
    public void close(int descriptor) throws IOException {
        checked("close", close.invokeInt(new Object[] {descriptor}));
    }

    @Override
    public void fadviseDontNeed(int descriptor) throws IOException {
        int error = fadvise.invokeInt(new Object[] {descriptor, 0L, 0L, POSIX_FADV_DONTNEED});
        if (error != 0) {
            throw LinuxCalls.failed("posix_fadvise", error);
        }
    }

    @Override
    public long mmap(int descriptor, long position, long bytes) throws IOException {
        return checked("mmap", mmap.invokeLong(new Object[] {0L, bytes, PROT_READ, MAP_SHARED, descriptor, position}));
    }

    @Override
    public void munmap(long address, long bytes) throws IOException {
        checked("munmap", munmap.invokeInt(new Object[] {address, bytes}));
    }

    @Override
    public void mincore(long address, long bytes, ByteBuffer pages) throws IOException {
        checked("mincore", mincore.invokeInt(new Object[] {address, bytes, pages}));
    }

    private static long checked(String function, long result) throws IOException {
        return LinuxCalls.checked(function, result, Native.getLastError());
    }
}
