package io.tidemark.broker.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The functions of Linux's C library that page cache control needs, on 64 bits. Each is as its manual page says, and
 * throws where that says that it sets {@code errno}. Safe from any thread.
 */
interface LinuxCalls {
    /** Open for reading, and not handed on to child processes. */
    int O_RDONLY_O_CLOEXEC = 0x80000;

    int PROT_READ = 1;
    int MAP_SHARED = 1;
    int POSIX_FADV_DONTNEED = 4;

    /** In bytes. */
    int getpagesize();

    /** The descriptor of a file, opened for reading. */
    int open(String path) throws IOException;

    void close(int descriptor) throws IOException;

    /** Lets go of all clean pages of a file. */
    void fadviseDontNeed(int descriptor) throws IOException;

    /** Maps a stretch of a file, for reading, and returns the address. */
    long mmap(int descriptor, long position, long bytes) throws IOException;

    void munmap(long address, long bytes) throws IOException;

    /**
     * @param pages direct, one byte for each page of the mapping, whose lowest bit tells whether it is in memory
     */
    void mincore(long address, long bytes, ByteBuffer pages) throws IOException;

    /**
     * The way to the C library that this process has.
     *
     * @throws UnsupportedOperationException if there is none; the message says what to do
     */
    static LinuxCalls find(Platform platform) {
        if (!platform.isLinuxOf64Bits()) {
            throw new UnsupportedOperationException(notAvailable(platform) + "it needs Linux of 64 bits");
        }
        try {
            return new ForeignCalls();
        } catch (ReflectiveOperationException | IllegalCallerException e) {
            // Before Java 22, or where native access is denied to this code: JNA may be there.
            try {
                return new JnaCalls();
            } catch (LinkageError missing) {
                throw new UnsupportedOperationException(
                        notAvailable(platform)
                                + (e instanceof IllegalCallerException
                                        ? "native access is denied; run with --enable-native-access=ALL-UNNAMED"
                                        : "add net.java.dev.jna:jna to the class path, or run on Java 22 or newer"),
                        missing);
            }
        }
    }

    private static String notAvailable(Platform platform) {
        return "Page cache control is not available on " + platform + ": ";
    }

    /** The result, unless it says that the call failed. */
    static long checked(String function, long result, int errno) throws IOException {
        if (result == -1) {
            throw failed(function, errno);
        }
        return result;
    }

    static IOException failed(String function, int errno) {
        return new IOException(function + " failed with errno " + errno);
    }
}
