package io.tidemark.broker.verification;

/** What a client that writes in a transaction knows of KIP-890, by the version of its request. */
public enum TransactionSupport {
    /** Nothing: it is told INVALID_TXN_STATE where later ones are told TRANSACTION_ABORTABLE. */
    WITHOUT_ABORTABLE,

    /** It knows TRANSACTION_ABORTABLE, and has added the partition to its transaction before. */
    WITH_ABORTABLE,

    /** Transactions version 2: its write adds the partition to the transaction. */
    ADDS_PARTITIONS;

    private static final short PRODUCE_WITH_ABORTABLE = 11;
    private static final short OFFSET_COMMIT_WITH_ABORTABLE = 4;

    public static TransactionSupport ofProduce(short version) {
        return of(version, PRODUCE_WITH_ABORTABLE);
    }

    public static TransactionSupport ofTxnOffsetCommit(short version) {
        return of(version, OFFSET_COMMIT_WITH_ABORTABLE);
    }

    private static TransactionSupport of(short version, short withAbortable) {
        if (version < withAbortable) {
            return WITHOUT_ABORTABLE;
        }
        return version == withAbortable ? WITH_ABORTABLE : ADDS_PARTITIONS;
    }

    public boolean addsPartitions() {
        return this == ADDS_PARTITIONS;
    }
}
