package io.tidemark.broker.protocol;

import org.jspecify.annotations.Nullable;

/** The records that a coordinator keeps in its partitions, by the number in front of a record's key. */
public interface CoordinatorRecordTypes {
    /** A fresh key of a type, or null where there is no such type. */
    @Nullable
    ApiMessage newKey(short type);

    /** A fresh value of a type, or null where there is no such type. */
    @Nullable
    ApiMessage newValue(short type);
}
