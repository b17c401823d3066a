package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Compression and decompression of a batch's records. Gzip is the JDK's; the others are the libraries that
 * kafka-clients brings along, found by name, so that they are not needed by whoever does not use them.
 */
enum Codec {
    GZIP(CompressionType.GZIP, "the JDK", "", "") {
        @Override
        InputStream reader(InputStream from) throws IOException {
            return new GZIPInputStream(from);
        }

        @Override
        OutputStream writer(OutputStream to) throws IOException {
            return new GZIPOutputStream(to);
        }
    },
    SNAPPY(
            CompressionType.SNAPPY,
            "org.xerial.snappy:snappy-java",
            "org.xerial.snappy.SnappyInputStream",
            "org.xerial.snappy.SnappyOutputStream"),
    LZ4(
            CompressionType.LZ4,
            "at.yawk.lz4:lz4-java",
            "net.jpountz.lz4.LZ4FrameInputStream",
            "net.jpountz.lz4.LZ4FrameOutputStream"),
    ZSTD(
            CompressionType.ZSTD,
            "com.github.luben:zstd-jni",
            "com.github.luben.zstd.ZstdInputStream",
            "com.github.luben.zstd.ZstdOutputStream");

    private static final int COPY_BYTES = 16 * 1024;

    private final CompressionType type;
    private final String artifact;
    private final String readerClass;
    private final String writerClass;

    Codec(CompressionType type, String artifact, String readerClass, String writerClass) {
        this.type = type;
        this.artifact = artifact;
        this.readerClass = readerClass;
        this.writerClass = writerClass;
    }

    private static Codec of(CompressionType type) {
        return values()[type.id() - 1];
    }

    /**
     * The bytes as they were before compression. They grow as they come, so that a claim of a size costs nothing.
     *
     * @return the same buffer where nothing is compressed, else a new one on the heap
     * @throws CorruptBatchException if they are not of that compression
     */
    static ByteBuf decompress(CompressionType type, ByteBuf compressed) {
        if (type == CompressionType.NONE) {
            return compressed;
        }
        Codec codec = of(type);
        ByteBuf plain = Unpooled.buffer(Math.max(256, compressed.readableBytes() * 2));
        try (InputStream in = codec.reader(new ByteBufInputStream(compressed))) {
            while (plain.writeBytes(in, COPY_BYTES) >= 0) {
                // Each round takes what the codec has.
            }
            return plain;
        } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new CorruptBatchException(
                    "Records that are said to be compressed with " + type.typeName() + " are not: " + e.getMessage(),
                    e);
        }
    }

    /** The bytes, compressed; a new buffer on the heap unless there is nothing to do. */
    static ByteBuf compress(CompressionType type, ByteBuf plain) {
        if (type == CompressionType.NONE) {
            return plain;
        }
        ByteBuf compressed = Unpooled.buffer(Math.max(256, plain.readableBytes() / 2));
        try (OutputStream out = of(type).writer(new ByteBufOutputStream(compressed))) {
            plain.getBytes(plain.readerIndex(), out, plain.readableBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("Compression with " + type.typeName() + " failed", e);
        }
        return compressed;
    }

    InputStream reader(InputStream from) throws IOException {
        return (InputStream) wrap(readerClass, InputStream.class, from);
    }

    OutputStream writer(OutputStream to) throws IOException {
        return (OutputStream) wrap(writerClass, OutputStream.class, to);
    }

    private Object wrap(String className, Class<?> parameterType, Object stream) throws IOException {
        try {
            return Class.forName(className).getConstructor(parameterType).newInstance(stream);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new CodecMissingException(type, artifact, e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new CodecMissingException(type, artifact, e);
        }
    }
}
