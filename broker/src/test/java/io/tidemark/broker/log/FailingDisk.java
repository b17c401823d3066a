package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.disk.MappedFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;

/** A disk that is good until it is told to be full: writes then put down a part and fail. */
final class FailingDisk implements Disk {
    private final Disk real = new FileSystemDisk();
    boolean full;
    int forced;
    int mapped;

    @Override
    public DiskFile open(Path file) throws IOException {
        return new FailingFile(real.open(file));
    }

    @Override
    public DiskFile openReadOnly(Path file) throws IOException {
        return new FailingFile(real.openReadOnly(file));
    }

    @Override
    public MappedFile map(Path file, long sizeBytes) throws IOException {
        mapped++;
        return real.map(file, sizeBytes);
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return real.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) throws IOException {
        return real.isDirectory(path);
    }

    @Override
    public long size(Path file) throws IOException {
        return real.size(file);
    }

    @Override
    public byte[] readAll(Path file) throws IOException {
        return real.readAll(file);
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        forced++;
        real.replace(file, content);
    }

    @Override
    public void rewrite(Path file, byte[] content) throws IOException {
        real.rewrite(file, content);
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        return real.lock(file);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        return real.list(directory);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        real.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        real.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        real.delete(path);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        forced++;
        real.forceDirectory(directory);
    }

    private final class FailingFile implements DiskFile {
        private final DiskFile file;

        FailingFile(DiskFile file) {
            this.file = file;
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            if (full) {
                source.limit(source.position() + source.remaining() / 2);
                file.write(source, position);
                throw new IOException("Cannot write at byte " + position + " of " + path() + ": no space left");
            }
            file.write(source, position);
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            return file.transferTo(position, count, target);
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void force(boolean metadata) throws IOException {
            forced++;
            file.force(metadata);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
