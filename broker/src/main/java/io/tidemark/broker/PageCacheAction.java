package io.tidemark.broker;

/** What may be done to the page cache of a replica's segments. Each ends with a look at it. */
public enum PageCacheAction {
    /** Changes nothing. */
    LOOK,
    /** Forces the segments and has the system forget them, so that the next reads come from the disk. */
    DROP,
    /** Reads the segments through, so that the next reads come from memory. */
    WARM
}
