package io.tidemark.broker.controller;

/** Who may be elected. */
enum Election {
    /** The leader stays where it can; else a live member of the ISR, or with an empty ISR of the ELR. */
    CLEAN,
    /** As {@link #CLEAN}, but where that finds nobody, any live replica, at the cost of records. */
    UNCLEAN,
    /** The first replica, if it is a live member of the ISR; else the leader stays. */
    PREFERRED
}
