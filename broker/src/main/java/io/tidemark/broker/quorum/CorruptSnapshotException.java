package io.tidemark.broker.quorum;

import java.io.IOException;
import java.nio.file.Path;

/** A snapshot file that is damaged, or was not written to its end. The message names it, and says what to do. */
public final class CorruptSnapshotException extends IOException {
    private static final long serialVersionUID = 1L;

    CorruptSnapshotException(Path file, String what) {
        super(message(file, what));
    }

    CorruptSnapshotException(Path file, String what, Throwable cause) {
        super(message(file, what), cause);
    }

    private static String message(Path file, String what) {
        return "Metadata snapshot " + file + " cannot be used: " + what + ". Restore the file; where other controllers"
                + " have the metadata, delete this node's metadata folder instead, and it fetches them anew";
    }
}
