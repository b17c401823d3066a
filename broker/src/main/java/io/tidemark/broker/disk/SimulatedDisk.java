package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskNode.Folder;
import io.tidemark.broker.disk.DiskOperation.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that remembers what was forced, so that it can lose what was not. The same calls and the same seeds
 * give the same disk; a {@link FaultyDisk} over it fails too. A file's bytes are durable when the file was forced, and its name when the
 * folder was: a file forced in a folder that was not may be gone.
 *
 * <p>What was written through a mapping is noticed when the mapping is forced or closed, or the power is lost. A file
 * must not grow by other means while it is mapped.
 *
 * <p>Safe from any thread. Meant for logs of a few megabytes: what is not forced is held twice.
 */
public final class SimulatedDisk implements Disk {
    /** What arrives whole or torn when the power goes: small, so that small files have several. */
    private static final int BLOCK_BYTES = 512;

    private final FolderTree<SimulatedContent> tree = new FolderTree<>();
    private final DiskStop stop = new DiskStop();
    private int generation;

    /** Everything that changed the disk, in order, from its making on. */
    public synchronized List<DiskOperation> changes() {
        return List.copyOf(stop.changes());
    }

    /** How many operations changed the disk until now. */
    public synchronized int changeCount() {
        return stop.changes().size();
    }

    /** Lets so many more changes pass; from then on everything fails, reads too, as after the end of the process. */
    public synchronized void stopAfter(long changeCount) {
        stop.stopAfter(changeCount);
    }

    /** Whether the stop has struck. */
    public synchronized boolean stopped() {
        return stop.stopped();
    }

    /** A new process: whatever was open or locked is not, and the files are as they were left. */
    public synchronized void restart() {
        generation++;
        tree.forEachContent(content -> {
            content.locked = false;
            content.bytes.unmap();
        });
        stop.restart();
    }

    /** A new process after a power loss: of what was never forced, there is what the seed leaves. */
    public synchronized void powerLoss(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        tree.losePower(random, BLOCK_BYTES);
        restart();
    }

    /** Turns one bit of a file over, durably. */
    public synchronized void flipBit(Path file, long bit) throws IOException {
        tree.content(file).bytes.flipBit(bit);
    }

    @Override
    public synchronized DiskFile open(Path file) throws IOException {
        return doing("open", file, () -> new SimulatedFile(this, file, openContent(file), generation, true));
    }

    @Override
    public synchronized DiskFile openReadOnly(Path file) throws IOException {
        return doing("open for reading", file, () -> {
            stop.pass(DiskOperation.of(Kind.LOOK_UP, file));
            return new SimulatedFile(this, file, tree.content(file), generation, false);
        });
    }

    private SimulatedContent openContent(Path file) throws IOException {
        if (tree.find(file) != null) {
            stop.pass(DiskOperation.of(Kind.LOOK_UP, file));
            return tree.content(file);
        }
        stop.pass(DiskOperation.of(Kind.CREATE, file));
        SimulatedContent content = new SimulatedContent();
        tree.link(file, content);
        return content;
    }

    @Override
    public synchronized MappedFile map(Path file, long sizeBytes) throws IOException {
        return doing("map " + sizeBytes + " bytes of", file, () -> {
            SimulatedContent content = openContent(file);
            stop.pass(new DiskOperation(Kind.MAP, file, sizeBytes, 0));
            ByteBuffer buffer = content.bytes.map(Math.toIntExact(sizeBytes));
            return new SimulatedMappedFile(this, file, content, buffer, generation);
        });
    }

    @Override
    public synchronized boolean exists(Path path) throws IOException {
        return doing("look for", path, () -> look(path) != null);
    }

    @Override
    public synchronized boolean isDirectory(Path path) throws IOException {
        return doing("look for", path, () -> look(path) instanceof Folder);
    }

    private @Nullable DiskNode look(Path path) throws IOException {
        stop.pass(DiskOperation.of(Kind.LOOK_UP, path));
        return tree.find(path);
    }

    @Override
    public synchronized long size(Path file) throws IOException {
        return doing("take the size of", file, () -> {
            stop.pass(DiskOperation.of(Kind.LOOK_UP, file));
            return (long) tree.content(file).bytes.size();
        });
    }

    @Override
    public synchronized byte[] readAll(Path file) throws IOException {
        return doing("read", file, () -> {
            SimulatedContent content = tree.content(file);
            stop.pass(new DiskOperation(Kind.READ, file, 0, content.bytes.size()));
            return content.bytes.toArray();
        });
    }

    @Override
    public synchronized void replace(Path file, byte[] content) throws IOException {
        WriteBeside.durably(this, file, content);
    }

    @Override
    public synchronized void rewrite(Path file, byte[] content) throws IOException {
        WriteBeside.unforced(this, file, content);
    }

    @Override
    public synchronized @Nullable Closeable lock(Path file) throws IOException {
        SimulatedContent content = doing("lock", file, () -> openContent(file));
        if (content.locked) {
            return null;
        }
        content.locked = true;
        int holder = generation;
        return () -> unlock(content, holder);
    }

    private synchronized void unlock(SimulatedContent content, int holder) {
        if (holder == generation) {
            content.locked = false;
        }
    }

    @Override
    public synchronized List<Path> list(Path directory) throws IOException {
        return doing("list", directory, () -> {
            DiskNode node = look(directory);
            if (node == null) {
                return List.of();
            }
            return tree.folder(directory).live.keySet().stream()
                    .map(directory::resolve)
                    .sorted()
                    .toList();
        });
    }

    @Override
    public synchronized void createDirectories(Path directory) throws IOException {
        Path parent = directory.getParent();
        if (parent != null && tree.find(parent) == null) {
            createDirectories(parent);
        }
        doing("create folder", directory, () -> {
            DiskNode there = look(directory);
            if (there == null) {
                stop.pass(DiskOperation.of(Kind.CREATE_FOLDER, directory));
                tree.link(directory, new Folder());
            } else if (!(there instanceof Folder)) {
                throw new IOException("it is a file");
            }
            return true;
        });
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        doing("rename to " + to + " what is", from, () -> {
            stop.pass(DiskOperation.of(Kind.RENAME, to));
            tree.move(from, to);
            return true;
        });
    }

    @Override
    public synchronized void delete(Path path) throws IOException {
        doing("delete", path, () -> {
            if (look(path) != null) {
                stop.pass(DiskOperation.of(Kind.DELETE, path));
                tree.unlink(path);
            }
            return true;
        });
    }

    @Override
    public synchronized void forceDirectory(Path directory) throws IOException {
        doing("force folder", directory, () -> {
            Folder folder = tree.folder(directory);
            stop.pass(DiskOperation.of(Kind.FORCE_FOLDER, directory));
            tree.force(folder);
            return true;
        });
    }

    /** Whether a handle is one of the process that is running. */
    boolean isOfThisProcess(int handleGeneration) {
        return handleGeneration == generation;
    }

    void pass(DiskOperation operation) throws IOException {
        stop.pass(operation);
    }

    /** What may fail. */
    interface Attempt<T> {
        T run() throws IOException;
    }

    static <T> T doing(String what, Path path, Attempt<T> attempt) throws IOException {
        try {
            return attempt.run();
        } catch (IOException e) {
            throw FileSystemDisk.failed(what, path, e);
        }
    }
}
