package io.tidemark.broker.api;

/** The bits of what a client may do, for a broker without ACLs: everything that the resource's type has. */
final class AuthorizedOperations {
    /** Read, write, create, delete, alter, describe, describe configs, alter configs. */
    static final int TOPIC = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 10 | 1 << 11;

    /** Create, alter, describe, cluster action, describe configs, alter configs, idempotent write. */
    static final int CLUSTER = 1 << 5 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12;

    /** Not asked for. */
    static final int NOT_TOLD = Integer.MIN_VALUE;

    private AuthorizedOperations() {}
}
