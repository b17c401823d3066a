package io.tidemark.broker.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Waits for a known number of parts, which come in any order, and hands them on in the order of their places. */
final class Gather<T> {
    private final List<T> parts;
    private final Consumer<List<T>> whole;
    private int missing;

    /** @param whole called once, at once where no parts are expected */
    Gather(int count, Consumer<List<T>> whole) {
        this.parts = new ArrayList<>(Collections.nCopies(count, null));
        this.whole = whole;
        this.missing = count;
        if (count == 0) {
            whole.accept(new ArrayList<>());
        }
    }

    /** Takes the part of a place; once for each. */
    void put(int place, T part) {
        parts.set(place, Objects.requireNonNull(part));
        if (--missing == 0) {
            whole.accept(parts);
        }
    }
}
