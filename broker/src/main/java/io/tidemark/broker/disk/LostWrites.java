package io.tidemark.broker.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What a power loss leaves of a file. The faults that a log must survive, and no others:
 *
 * <ul>
 *   <li>each block is as it was at some moment since the last force, or, torn, a part of it as at one moment and the
 *       rest as at another;
 *   <li>the length is as at some moment too, whatever became of the bytes below it, which are zeros where they never
 *       arrived;
 *   <li>cuts arrive in order, as a journaling file system sees to: once a cut is durable, nothing from before it comes
 *       back above it, and nothing from after it is there without it.
 * </ul>
 */
final class LostWrites {
    private final Bytes durable;
    private final List<FileChange> changes;
    private final int blockBytes;

    /** A stretch of the file that is as after the first {@code moment} changes. */
    private record Stretch(int from, int to) {}

    LostWrites(Bytes durable, List<FileChange> changes, int blockBytes) {
        this.durable = durable;
        this.changes = changes;
        this.blockBytes = blockBytes;
    }

    Bytes survivors(RandomGenerator random) {
        List<Integer> cuts = cuts();
        int survivingCuts = random.nextInt(cuts.size() + 1);
        int first = survivingCuts == 0 ? 0 : cuts.get(survivingCuts - 1);
        int last = survivingCuts == cuts.size() ? changes.size() : cuts.get(survivingCuts) - 1;
        int fate = random.nextInt(4);
        if (fate == 0) {
            return replay(first, allAt(first, last), first, last);
        }
        if (fate == 1) {
            return replay(last, allAt(last, last), first, last);
        }
        return replay(between(random, first, last), scattered(random, last), first, last);
    }

    /** After how many changes each cut is done. */
    private List<Integer> cuts() {
        List<Integer> cuts = new ArrayList<>();
        int size = durable.size();
        Bytes bytes = durable.copy();
        for (int i = 0; i < changes.size(); i++) {
            changes.get(i).applyTo(bytes);
            if (bytes.size() < size) {
                cuts.add(i + 1);
            }
            size = bytes.size();
        }
        return cuts;
    }

    private static int between(RandomGenerator random, int first, int last) {
        return first + random.nextInt(last - first + 1);
    }

    private int greatestSize(int last) {
        Bytes bytes = durable.copy();
        int greatest = bytes.size();
        for (FileChange change : changes.subList(0, last)) {
            change.applyTo(bytes);
            greatest = Math.max(greatest, bytes.size());
        }
        return greatest;
    }

    private static List<List<Stretch>> noneAt(int last) {
        List<List<Stretch>> stretches = new ArrayList<>();
        for (int moment = 0; moment <= last; moment++) {
            stretches.add(new ArrayList<>());
        }
        return stretches;
    }

    private List<List<Stretch>> allAt(int moment, int last) {
        List<List<Stretch>> stretches = noneAt(last);
        stretches.get(moment).add(new Stretch(0, Integer.MAX_VALUE));
        return stretches;
    }

    private List<List<Stretch>> scattered(RandomGenerator random, int last) {
        List<List<Stretch>> stretches = noneAt(last);
        int end = greatestSize(last);
        for (int from = 0; from < end; from += blockBytes) {
            int to = from + blockBytes;
            int tear = random.nextInt(4) == 0 ? from + random.nextInt(Math.min(blockBytes, end - from)) : to;
            // The ends are where most goes wrong: nothing of a block arrived, or all of it.
            stretches.get(moment(random, last)).add(new Stretch(from, tear));
            stretches.get(moment(random, last)).add(new Stretch(tear, to));
        }
        return stretches;
    }

    private static int moment(RandomGenerator random, int last) {
        return switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> last;
            default -> random.nextInt(last + 1);
        };
    }

    /** Goes through the changes once, and takes each stretch at its moment. */
    private Bytes replay(int sizeMoment, List<List<Stretch>> stretches, int first, int last) {
        Bytes bytes = durable.copy();
        Bytes result = new Bytes(new byte[0], 0);
        int size = 0;
        for (int moment = 0; moment <= last; moment++) {
            if (moment > 0) {
                int before = bytes.size();
                changes.get(moment - 1).applyTo(bytes);
                if (bytes.size() < before && bytes.size() < result.size() && moment <= first) {
                    result.resize(bytes.size());
                }
            }
            for (Stretch stretch : stretches.get(moment)) {
                copy(bytes, result, stretch);
            }
            if (moment == sizeMoment) {
                size = bytes.size();
            }
        }
        result.resize(size);
        return result;
    }

    private static void copy(Bytes from, Bytes to, Stretch stretch) {
        int end = Math.min(stretch.to(), from.size());
        if (end > stretch.from()) {
            to.write(stretch.from(), java.util.Arrays.copyOfRange(from.array(), stretch.from(), end));
        }
    }
}
