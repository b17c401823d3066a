package io.tidemark.broker.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** A file behind a {@link FileChannel}. After close, every call fails with an {@link IOException}. */
final class FileSystemFile implements DiskFile {
    private final Path path;
    private final FileChannel channel;
    private final boolean forces;

    /** @param forces whether a force has an effect */
    FileSystemFile(Path path, FileChannel channel, boolean forces) {
        this.path = path;
        this.channel = channel;
        this.forces = forces;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public long size() throws IOException {
        try {
            return channel.size();
        } catch (IOException e) {
            throw FileSystemDisk.failed("take the size of", path, e);
        }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int total = 0;
        try {
            while (target.hasRemaining()) {
                int count = channel.read(target, position + total);
                if (count < 0) {
                    return total == 0 ? -1 : total;
                }
                total += count;
            }
            return total;
        } catch (IOException e) {
            throw FileSystemDisk.failed("read at byte " + position + " of", path, e);
        }
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
        long at = position;
        try {
            while (source.hasRemaining()) {
                at += channel.write(source, at);
            }
        } catch (IOException e) {
            throw FileSystemDisk.failed("write at byte " + position + " of", path, e);
        }
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        // Not wrapped: the failure may be the socket's, and its caller tells the two apart by type.
        return channel.transferTo(position, count, target);
    }

    @Override
    public void truncate(long size) throws IOException {
        try {
            channel.truncate(size);
        } catch (IOException e) {
            throw FileSystemDisk.failed("truncate to " + size + " bytes", path, e);
        }
    }

    @Override
    public void force(boolean metadata) throws IOException {
        try {
            if (forces) {
                channel.force(metadata);
            } else if (!channel.isOpen()) {
                throw new ClosedChannelException();
            }
        } catch (IOException e) {
            throw FileSystemDisk.failed("force", path, e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
