package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskOperation.Kind;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Which operations of a disk are meant: by what is done, to which file, and the how many-th of them. Counts what it is
 * shown, so that each is for one use. Safe from any thread.
 *
 * <pre>{@code
 * faults.failWhere(DiskMatch.of(Kind.WRITE).on(path -> path.endsWith("orders-0/00000000000000000000.log")).after(3).atMost(1));
 * }</pre>
 */
public final class DiskMatch implements Predicate<DiskOperation> {
    private final Set<Kind> kinds;
    private final Predicate<Path> paths;
    private final long skipped;
    private final long most;
    private final AtomicLong seen = new AtomicLong();

    private DiskMatch(Set<Kind> kinds, Predicate<Path> paths, long skipped, long most) {
        this.kinds = kinds;
        this.paths = paths;
        this.skipped = skipped;
        this.most = most;
    }

    /** Every operation of these kinds. */
    public static DiskMatch of(Kind first, Kind... more) {
        return new DiskMatch(EnumSet.of(first, more), path -> true, 0, Long.MAX_VALUE);
    }

    /** Everything that changes a disk. */
    public static DiskMatch changes() {
        Set<Kind> kinds = EnumSet.allOf(Kind.class);
        kinds.removeIf(kind -> !kind.changes());
        return new DiskMatch(kinds, path -> true, 0, Long.MAX_VALUE);
    }

    /** Only those on these files and folders. */
    public DiskMatch on(Predicate<Path> only) {
        return new DiskMatch(kinds, only, skipped, most);
    }

    /** Without the first so many. */
    public DiskMatch after(long count) {
        return new DiskMatch(kinds, paths, count, most);
    }

    /** No more than so many. */
    public DiskMatch atMost(long count) {
        return new DiskMatch(kinds, paths, skipped, count);
    }

    @Override
    public boolean test(DiskOperation operation) {
        if (!kinds.contains(operation.kind()) || !paths.test(operation.path())) {
            return false;
        }
        long number = seen.getAndIncrement();
        return number >= skipped && number - skipped < most;
    }
}
