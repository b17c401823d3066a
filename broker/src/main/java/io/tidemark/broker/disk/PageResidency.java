package io.tidemark.broker.disk;

/**
 * How much of something is in the system's page cache.
 *
 * @param residentPages the pages that are in memory
 * @param pages all of its pages, the last one of a file counted whole
 */
public record PageResidency(long residentPages, long pages) {
    public static final PageResidency EMPTY = new PageResidency(0, 0);

    /** Both together. */
    public PageResidency plus(PageResidency other) {
        return new PageResidency(residentPages + other.residentPages, pages + other.pages);
    }

    /** True where every page is in memory; also where there is none. */
    public boolean isFull() {
        return residentPages == pages;
    }

    /** True where no page is in memory. */
    public boolean isNone() {
        return residentPages == 0;
    }

    /** For example {@code 3 of 25 pages}. */
    @Override
    public String toString() {
        return residentPages + " of " + pages + " pages";
    }
}
