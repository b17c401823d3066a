package io.tidemark.assertions;

import io.tidemark.Cluster;
import io.tidemark.GroupHandle;
import io.tidemark.PartitionHandle;
import io.tidemark.PartitionState;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an assertion looks at.
 *
 * @param name for messages
 * @param kind what is missing where a look finds nothing, for example {@code partition}
 * @param cluster where it is; once that is closed nothing can change
 * @param look takes one look
 * @param goneSince why what an earlier look saw will never be seen again, or null where it may
 */
record Subject<S>(
        String name,
        String kind,
        Cluster cluster,
        Supplier<Optional<S>> look,
        Function<S, @Nullable String> goneSince) {
    private static final String UNKNOWN = "unknown";

    /** One look and what it says. */
    record Look<S>(Verdict verdict, @Nullable S state) {}

    /** Something of a partition, which is gone when its topic is deleted. */
    static <S> Subject<S> of(
            PartitionHandle partition,
            String kind,
            Supplier<Optional<S>> look,
            Function<S, PartitionState> partitionOf) {
        return new Subject<>(
                partition.toString(),
                kind,
                partition.cluster(),
                look,
                seen -> deletedSince(partition.cluster(), partitionOf.apply(seen)));
    }

    static @Nullable String deletedSince(Cluster cluster, PartitionState before) {
        return cluster.topic(before.topic()).isDeletedSince(before.metadataOffset())
                ? "topic " + before.topic() + " was deleted while it was waited for"
                : null;
    }

    /** Something of a group, which may come again whenever a member does. */
    static <S> Subject<S> of(GroupHandle group, Supplier<Optional<S>> look) {
        return new Subject<>(group.toString(), "group", group.cluster(), look, seen -> null);
    }

    /**
     * Takes a look.
     *
     * @param before what was seen last, or null at the first look
     */
    Look<S> judgedBy(Expectation<S> expectation, @Nullable S before) {
        try {
            S state = look.get().orElse(null);
            if (state != null) {
                return new Look<>(expectation.judge().apply(state), state);
            }
            String gone = before == null ? null : goneSince.apply(before);
            if (cluster.isClosed()) {
                return closed(before);
            }
            return gone == null
                    ? new Look<>(new NotYet(UNKNOWN + ", as there is no such " + kind), null)
                    : new Look<>(new Never("nothing", gone), before);
        } catch (IllegalStateException | IllegalArgumentException e) {
            // No node or leader can be asked, or something went away while it was looked at, which may pass; or the
            // cluster is closed, which does not.
            return cluster.isClosed()
                    ? closed(before)
                    : new Look<>(new NotYet(UNKNOWN + ": " + e.getMessage()), before);
        }
    }

    private static <S> Look<S> closed(@Nullable S before) {
        return new Look<>(new Never(UNKNOWN, "the cluster is closed"), before);
    }

    /** Null where the expectation is met, at once or, with patience, in time. */
    @Nullable
    UnmetExpectation unmet(Expectation<S> expectation, @Nullable Eventually eventually) {
        if (eventually != null) {
            return eventually.await(this, expectation);
        }
        Look<S> once = judgedBy(expectation, null);
        Verdict verdict = once.verdict();
        if (verdict instanceof Verdict.Met) {
            return null;
        }
        String seen = verdict instanceof Never never
                ? never.actual() + " (" + never.reason() + ")"
                : ((NotYet) verdict).actual();
        return new UnmetExpectation(name, expectation, seen, null, once.state());
    }
}
