package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskOperation.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Any disk, made to fail, to be slow, to be full and to rot, also while a node is using it. With no fault injected it
 * passes everything on. A failure is an {@link IOException} that reads as one of the disk below would: what was
 * attempted, and on which file.
 *
 * <p>What is read and written through a mapping is seen by nobody: its faults would end the process, so none are
 * injected there; to map, to force and to close a mapping can fail.
 *
 * <p>Safe from any thread, as the disk below is.
 */
public final class FaultyDisk implements Disk {
    private static final String BESIDE_SUFFIX = ".tmp";

    private final Disk under;
    private final DiskFaults faults;

    public FaultyDisk(Disk under, DiskFaults faults) {
        this.under = under;
        this.faults = faults;
    }

    /** What is wrong with it. */
    public DiskFaults faults() {
        return faults;
    }

    /**
     * Turns one bit of a file over, as a disk does that rots: nobody is told, and nothing fails.
     *
     * @param bit counted from the lowest of the file's first byte
     * @throws IllegalArgumentException if the file does not reach so far
     */
    public void flipBit(Path file, long bit) throws IOException {
        long position = bit / Byte.SIZE;
        try (DiskFile open = under.open(file)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            if (position >= open.size() || open.read(one, position) != 1) {
                throw new IllegalArgumentException(
                        "Bit " + bit + " is not in " + file + ", which has " + open.size() + " bytes");
            }
            one.put(0, (byte) (one.get(0) ^ (1 << (bit % Byte.SIZE))));
            open.write(one.flip(), position);
        }
    }

    private void pass(String attempt, Kind kind, Path path) throws IOException {
        pass(attempt, new DiskOperation(kind, path, 0, 0));
    }

    private void pass(String attempt, DiskOperation operation) throws IOException {
        try {
            faults.pass(operation);
        } catch (IOException e) {
            throw FileSystemDisk.failed(attempt, operation.path(), e);
        }
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        pass("open", under.exists(file) ? Kind.LOOK_UP : Kind.CREATE, file);
        return new FaultyFile(under.open(file), file, faults);
    }

    @Override
    public DiskFile openReadOnly(Path file) throws IOException {
        pass("open for reading", Kind.LOOK_UP, file);
        return new FaultyFile(under.openReadOnly(file), file, faults);
    }

    @Override
    public MappedFile map(Path file, long sizeBytes) throws IOException {
        pass("map " + sizeBytes + " bytes of", new DiskOperation(Kind.MAP, file, sizeBytes, 0));
        return new FaultyMappedFile(under.map(file, sizeBytes), file, faults);
    }

    @Override
    public void extend(Path file, long sizeBytes) throws IOException {
        pass("extend to " + sizeBytes + " bytes", under.exists(file) ? Kind.LOOK_UP : Kind.CREATE, file);
        under.extend(file, sizeBytes);
    }

    @Override
    public boolean exists(Path path) throws IOException {
        pass("look for", Kind.LOOK_UP, path);
        return under.exists(path);
    }

    @Override
    public long size(Path file) throws IOException {
        pass("take the size of", Kind.LOOK_UP, file);
        return under.size(file);
    }

    @Override
    public byte[] readAll(Path file) throws IOException {
        pass("read", Kind.READ, file);
        return under.readAll(file);
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        passReplacement(file, content);
        pass("force", Kind.FORCE, file);
        pass("force folder", Kind.FORCE_FOLDER, file.resolveSibling(""));
        under.replace(file, content);
    }

    @Override
    public void rewrite(Path file, byte[] content) throws IOException {
        passReplacement(file, content);
        under.rewrite(file, content);
    }

    /** The new content stands beside the old before it takes its place, so that there must be room for both. */
    private void passReplacement(Path file, byte[] content) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + BESIDE_SUFFIX);
        pass("create", Kind.CREATE, beside);
        pass("write", new DiskOperation(Kind.WRITE, file, 0, content.length));
        long taken = faults.take(content.length);
        faults.giveBack(taken);
        if (taken < content.length) {
            throw FileSystemDisk.failed("write", beside, DiskFaults.full());
        }
        pass("rename to " + file + " what is", Kind.RENAME, file);
    }

    @Override
    public boolean isDirectory(Path path) throws IOException {
        pass("look for", Kind.LOOK_UP, path);
        return under.isDirectory(path);
    }

    @Override
    public @Nullable Closeable lock(Path file) throws IOException {
        pass("lock", Kind.LOOK_UP, file);
        return under.lock(file);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        pass("list", Kind.LOOK_UP, directory);
        return under.list(directory);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        pass("create folder", under.exists(directory) ? Kind.LOOK_UP : Kind.CREATE_FOLDER, directory);
        under.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        pass("rename to " + to + " what is", Kind.RENAME, to);
        under.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        pass("delete", Kind.DELETE, path);
        long size = faults.isLimited() && under.exists(path) && !under.isDirectory(path) ? under.size(path) : 0;
        under.delete(path);
        faults.giveBack(size);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        pass("force folder", Kind.FORCE_FOLDER, directory);
        under.forceDirectory(directory);
    }

    @Override
    public DiskSpace space(Path directory) throws IOException {
        pass("take the size of the volume of", Kind.LOOK_UP, directory);
        DiskSpace space = under.space(directory);
        return new DiskSpace(space.totalBytes(), Math.min(space.usableBytes(), faults.freeBytes()));
    }

    @Override
    public PageCache pageCache() {
        return under.pageCache();
    }
}
