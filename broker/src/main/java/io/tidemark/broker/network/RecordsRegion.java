package io.tidemark.broker.network;

import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import io.tidemark.broker.protocol.Records;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/** Lets Netty send records straight from where they lie: it hands over the socket, and the records move themselves. */
final class RecordsRegion extends AbstractReferenceCounted implements FileRegion {
    private final Records records;
    private final long count;
    private long transferred;

    RecordsRegion(Records records) {
        this.records = records;
        this.count = records.sizeInBytes();
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
        long moved = records.transferTo(target, position, count - position);
        transferred += Math.max(0, moved);
        return moved;
    }

    @Override
    public long position() {
        return 0;
    }

    @Override
    public long transferred() {
        return transferred;
    }

    @Override
    @Deprecated
    public long transfered() {
        return transferred;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    protected void deallocate() {}

    @Override
    public FileRegion retain() {
        super.retain();
        return this;
    }

    @Override
    public FileRegion retain(int increment) {
        super.retain(increment);
        return this;
    }

    @Override
    public FileRegion touch() {
        return this;
    }

    @Override
    public FileRegion touch(Object hint) {
        return this;
    }
}
