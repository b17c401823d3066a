package io.tidemark.broker.disk;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The real disk: the default file system. Holds no state that changes, and is safe from any thread. */
public final class FileSystemDisk implements Disk {
    private static final Set<OpenOption> READ_WRITE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);

    /** Ends the name of the file that a replacement is written to before it takes the old one's place. */
    private static final String BESIDE_SUFFIX = ".tmp";

    private final boolean forces;

    public FileSystemDisk() {
        this(true);
    }

    private FileSystemDisk(boolean forces) {
        this.forces = forces;
    }

    /**
     * The same, but a force returns at once: for files that may go when the machine that they are on loses its power. The
     * end of a process takes nothing of them.
     */
    public static FileSystemDisk withoutForces() {
        return new FileSystemDisk(false);
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        try {
            return new FileSystemFile(file, FileChannel.open(file, READ_WRITE), forces);
        } catch (IOException e) {
            throw failed("open", file, e);
        }
    }

    @Override
    public DiskFile openReadOnly(Path file) throws IOException {
        try {
            return new FileSystemFile(file, FileChannel.open(file, StandardOpenOption.READ), forces);
        } catch (IOException e) {
            throw failed("open for reading", file, e);
        }
    }

    @Override
    public MappedFile map(Path file, long sizeBytes) throws IOException {
        // The mapping outlives the channel; writing past the end of the file extends it without filling it.
        try (FileChannel channel = FileChannel.open(file, READ_WRITE)) {
            if (channel.size() > sizeBytes) {
                channel.truncate(sizeBytes);
            }
            return new FileSystemMappedFile(file, Mapping.of(channel, sizeBytes), forces);
        } catch (IOException e) {
            throw failed("map " + sizeBytes + " bytes of", file, e);
        }
    }

    @Override
    public void extend(Path file, long sizeBytes) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            if (open.length() < sizeBytes) {
                open.setLength(sizeBytes);
            }
        } catch (IOException e) {
            throw failed("extend to " + sizeBytes + " bytes", file, e);
        }
    }

    /** By the older API of Java's, which makes no exception of a file that is not there: a start asks for dozens of them. */
    @Override
    public boolean exists(Path path) {
        return path.toFile().exists();
    }

    @Override
    public boolean isDirectory(Path path) {
        return path.toFile().isDirectory();
    }

    @Override
    public long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw failed("take the size of", file, e);
        }
    }

    @Override
    public byte[] readAll(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw failed("read", file, e);
        }
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        writeBesideAndRename(file, content, forces);
        forceDirectory(folderOf(file));
    }

    @Override
    public void rewrite(Path file, byte[] content) throws IOException {
        writeBesideAndRename(file, content, false);
    }

    private static void writeBesideAndRename(Path file, byte[] content, boolean force) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + BESIDE_SUFFIX);
        try {
            Files.deleteIfExists(beside);
            try (FileChannel channel =
                    FileChannel.open(beside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer source = ByteBuffer.wrap(content);
                while (source.hasRemaining()) {
                    channel.write(source);
                }
                if (force) {
                    channel.force(true);
                }
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed("replace", file, e);
        }
    }

    @Override
    public @Nullable Closeable lock(Path file) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(file, READ_WRITE);
        } catch (IOException e) {
            throw failed("open for a lock", file, e);
        }
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Another node of this same process holds it: the JVM sees to that itself.
        } catch (IOException e) {
            channel.close();
            throw failed("lock", file, e);
        }
        channel.close();
        return null;
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw failed("list", directory, e);
        }
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        if (isDirectory(directory)) {
            return;
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw failed("create folder", directory, e);
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed("rename to " + to + " what is", from, e);
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        try {
            if (!path.toFile().delete() && exists(path)) {
                // Tells why.
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw failed("delete", path, e);
        }
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        if (!forces && !isDirectory(directory)) {
            throw failed("force folder", directory, new NoSuchFileException(directory.toString()));
        }
        if (!forces || java.io.File.separatorChar == '\\') {
            // Windows neither needs nor allows a folder to be forced.
            return;
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw failed("force folder", directory, e);
        }
    }

    @Override
    public DiskSpace space(Path directory) throws IOException {
        try {
            FileStore volume = Files.getFileStore(directory);
            return new DiskSpace(volume.getTotalSpace(), volume.getUsableSpace());
        } catch (IOException e) {
            throw failed("take the size of the volume of", directory, e);
        }
    }

    @Override
    public PageCache pageCache() {
        return LinuxPageCache.ofThisProcess();
    }

    private static Path folderOf(Path file) {
        Path parent = file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("Path " + file + " has no folder; the disk takes absolute paths");
        }
        return parent;
    }

    /** The same failure, with the path and what was attempted. Out of files and folders alike comes a plain message. */
    static IOException failed(String attempt, Path path, IOException cause) {
        String reason = cause instanceof NoSuchFileException || cause instanceof FileNotFoundException
                ? "there is no such file or folder"
                : cause instanceof FileSystemException system && system.getReason() != null
                        ? system.getReason()
                        : String.valueOf(cause.getMessage());
        return new IOException("Cannot " + attempt + " " + path + ": " + reason, cause);
    }
}
