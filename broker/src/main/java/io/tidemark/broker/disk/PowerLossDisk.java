package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskNode.Folder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Any disk, whose power can be lost: it remembers what was never forced, and {@link #losePower} puts the files and
 * folders into a state that a real machine could show after that: of what was not forced some is there, some is gone,
 * some is torn, as the seed has it. The model is that of {@link SimulatedDisk}. Meant for the nodes of a test: what is
 * remembered of an append is two numbers, and of a deletion the file, which is moved aside until it can come back no
 * more.
 *
 * <p>What is remembered is all below the folders that are created through this disk, or were when they were found. Only
 * their own names are taken as durable. One disk serves all lives of a node, one after the other; when the power is lost
 * nothing may be open or locked.
 *
 * <p>Safe from any thread, as the disk below is.
 */
public final class PowerLossDisk implements Disk {
    /** What arrives whole or torn when the power goes. */
    private static final int BLOCK_BYTES = 512;

    /** A file that is replaced is kept in memory up to this size. */
    private static final int SAVED_BYTES = 64 * 1024;

    /** A real journal is written every few seconds: so many changes of names are durable without a force. */
    private static final int MOST_UNFORCED_NAMES = 4096;

    private final Disk under;
    private final FolderTree<TrackedFile> tree = new FolderTree<>();
    private final Set<Path> roots = new LinkedHashSet<>();
    private final Bystanders aside;

    /**
     * @param aside a folder of this disk's own, on the same volume as the others, which need not exist and is gone when
     *     it holds nothing
     */
    public PowerLossDisk(Disk under, Path aside) {
        this.under = under;
        this.aside = new Bystanders(under, aside);
    }

    /** Puts the files into a state that a power loss could have left. Nothing may be open. */
    public synchronized void losePower(long seed) throws IOException {
        PowerLoss loss = new PowerLoss(under, tree, roots, aside);
        loss.strike(new SplittableRandom(seed), BLOCK_BYTES);
    }

    /** Takes all names as durable: nothing that was deleted comes back any more. As after an orderly shutdown. */
    public synchronized void settleNames() throws IOException {
        tree.forceAll();
        aside.forgetAllBut(tree);
    }

    private boolean isTracked(Path path) {
        for (Path root : roots) {
            if (path.startsWith(root)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable TrackedFile tracked(Path file) throws IOException {
        return isTracked(file) && tree.find(file) != null ? tree.content(file) : null;
    }

    private TrackedFile trackedOrNew(Path file) throws IOException {
        TrackedFile known = tracked(file);
        if (known != null) {
            return known;
        }
        TrackedFile created = new TrackedFile(under, 0);
        if (isTracked(file)) {
            tree.link(file, created);
            boundNames();
        }
        return created;
    }

    private void boundNames() throws IOException {
        if (tree.unforcedCount() > MOST_UNFORCED_NAMES) {
            settleNames();
        }
    }

    @Override
    public synchronized DiskFile open(Path file) throws IOException {
        DiskFile open = under.open(file);
        return isTracked(file) ? new TrackedHandle(open, trackedOrNew(file)) : open;
    }

    @Override
    public synchronized DiskFile openReadOnly(Path file) throws IOException {
        DiskFile open = under.openReadOnly(file);
        TrackedFile known = tracked(file);
        return known == null ? open : new TrackedHandle(open, known);
    }

    @Override
    public synchronized MappedFile map(Path file, long sizeBytes) throws IOException {
        if (!isTracked(file)) {
            return under.map(file, sizeBytes);
        }
        TrackedFile known;
        try (DiskFile open = under.open(file)) {
            known = trackedOrNew(file);
            known.beforeMap(open);
        }
        MappedFile mapped = under.map(file, sizeBytes);
        known.mapped(sizeBytes);
        return new TrackedMapping(under, mapped, known);
    }

    @Override
    public synchronized void extend(Path file, long sizeBytes) throws IOException {
        under.extend(file, sizeBytes);
        if (isTracked(file)) {
            trackedOrNew(file).extended(under.size(file));
        }
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return under.exists(path);
    }

    @Override
    public long size(Path file) throws IOException {
        return under.size(file);
    }

    @Override
    public byte[] readAll(Path file) throws IOException {
        return under.readAll(file);
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        if (!isTracked(file)) {
            under.replace(file, content);
            return;
        }
        WriteBeside.durably(this, file, content);
    }

    @Override
    public void rewrite(Path file, byte[] content) throws IOException {
        if (!isTracked(file)) {
            under.rewrite(file, content);
            return;
        }
        WriteBeside.unforced(this, file, content);
    }

    @Override
    public boolean isDirectory(Path path) throws IOException {
        return under.isDirectory(path);
    }

    @Override
    public synchronized @Nullable Closeable lock(Path file) throws IOException {
        Closeable lock = under.lock(file);
        if (lock != null) {
            trackedOrNew(file);
        }
        return lock;
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        return under.list(directory);
    }

    @Override
    public synchronized void createDirectories(Path directory) throws IOException {
        if (isTracked(directory)) {
            Path parent = directory.getParent();
            if (parent != null && tree.find(directory) == null) {
                createDirectories(parent);
            }
            under.createDirectories(directory);
            if (tree.find(directory) == null) {
                tree.link(directory, new Folder());
                boundNames();
            }
            return;
        }
        under.createDirectories(directory);
        adopt(directory, tree.plant(directory));
        roots.add(directory);
    }

    /** What is there already is as durable as it will ever be. */
    private void adopt(Path directory, Folder folder) throws IOException {
        for (Path entry : under.list(directory)) {
            DiskNode node;
            if (under.isDirectory(entry)) {
                Folder inner = new Folder();
                adopt(entry, inner);
                node = inner;
            } else {
                node = new TrackedFile(under, Math.toIntExact(under.size(entry)));
            }
            String name = entry.getFileName().toString();
            folder.live.put(name, node);
            folder.durable.put(name, node);
        }
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        if (!isTracked(from) || !isTracked(to) || tree.find(from) == null || from.equals(to)) {
            under.rename(from, to);
            return;
        }
        TrackedFile replaced = tree.find(to) instanceof TrackedFile file ? file : null;
        if (replaced != null && replaced.size() <= SAVED_BYTES) {
            byte[] bytes = under.readAll(to);
            under.rename(from, to);
            replaced.save(bytes);
            aside.add(replaced);
        } else if (replaced != null) {
            aside.move(replaced, to);
            under.rename(from, to);
        } else {
            under.rename(from, to);
        }
        tree.move(from, to);
        boundNames();
    }

    @Override
    public synchronized void delete(Path path) throws IOException {
        DiskNode node = isTracked(path) ? tree.find(path) : null;
        if (node == null) {
            under.delete(path);
            return;
        }
        if (node instanceof TrackedFile file) {
            aside.move(file, path);
        } else {
            under.delete(path);
        }
        tree.unlink(path);
        boundNames();
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        under.forceDirectory(directory);
        synchronized (this) {
            if (isTracked(directory) && tree.find(directory) instanceof Folder folder) {
                tree.force(folder);
                aside.forgetAllBut(tree);
            }
        }
    }

    @Override
    public DiskSpace space(Path directory) throws IOException {
        return under.space(directory);
    }

    @Override
    public PageCache pageCache() {
        return under.pageCache();
    }
}
