package io.tidemark.broker.disk;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;

/** A file that is open cannot be read: the disk has failed, and not whoever the bytes were for. */
public final class UnreadableFileException extends IOException {
    private static final long serialVersionUID = 1;

    private UnreadableFileException(IOException failure) {
        super(failure.getMessage(), failure);
    }

    /** What a read of a file at a position has met; a file that was closed meanwhile has no failed disk. */
    static IOException of(Path path, long position, IOException cause) {
        return cause instanceof ClosedChannelException
                ? cause
                : new UnreadableFileException(FileSystemDisk.failed("read at byte " + position + " of", path, cause));
    }
}
