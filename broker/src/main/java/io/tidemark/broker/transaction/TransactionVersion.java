package io.tidemark.broker.transaction;

/**
 * A level of the feature {@code transaction.version}: 1 has a flexible log record (KIP-915), 2 a new producer epoch at
 * the end of each transaction and partitions that add themselves (KIP-890).
 */
public enum TransactionVersion {
    V0,
    V1,
    V2;

    public static final String FEATURE = "transaction.version";

    private static final short FIRST_END_TXN_OF_V2 = 5;
    private static final short FIRST_ADD_PARTITIONS_OF_V2 = 4;

    public static TransactionVersion ofLevel(int level) {
        return level <= 0 ? V0 : level == 1 ? V1 : V2;
    }

    /** The version that a client is on who ends a transaction with this version of EndTxn. */
    public static TransactionVersion ofEndTxn(short apiVersion) {
        return apiVersion >= FIRST_END_TXN_OF_V2 ? V2 : V0;
    }

    /** The version that a client is on whose partitions come with this version of AddPartitionsToTxn. */
    public static TransactionVersion ofAddPartitions(short apiVersion) {
        return apiVersion >= FIRST_ADD_PARTITIONS_OF_V2 ? V2 : V0;
    }

    public short level() {
        return (short) ordinal();
    }

    public boolean bumpsEpochAtEnd() {
        return this == V2;
    }

    short logValueVersion() {
        return (short) (this == V0 ? 0 : 1);
    }
}
