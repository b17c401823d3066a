package io.tidemark.broker.record;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.xerial.snappy.SnappyInputStream;
import org.xerial.snappy.SnappyOutputStream;

/**
 * Compression and decompression of a batch's records. Gzip is the JDK's; the others are the libraries that
 * kafka-clients brings along. They are optional: their classes are not asked for before there is such a batch, and where
 * they are missing then, the error names the artifact.
 */
final class Codec {
    private static final int COPY_BYTES = 16 * 1024;
    private static final int LEAST_BYTES = 256;

    /** What a batch may grow to however small it is; a producer's whole memory is half of it by default. */
    private static final int ALLOWED_BYTES = 64 * 1024 * 1024;

    /** What larger batches may grow to. */
    private static final int ALLOWED_TIMES = 32;

    private Codec() {}

    /**
     * The bytes as they were before compression. They grow as they come, so that a claim of a size costs nothing. Kafka
     * reads on however many there are; here they are held in memory, so what only wants to fill it is refused.
     *
     * @return the same buffer where nothing is compressed, else a new one on the heap
     * @throws CorruptBatchException if they are not of that compression, or too many
     * @throws CodecMissingException if the library is not there
     */
    static ByteBuf decompress(CompressionType type, ByteBuf compressed) {
        long allowed = Math.max(ALLOWED_BYTES, (long) ALLOWED_TIMES * compressed.readableBytes());
        return decompress(type, compressed, (int) Math.min(allowed, Integer.MAX_VALUE - COPY_BYTES));
    }

    static ByteBuf decompress(CompressionType type, ByteBuf compressed, int allowedBytes) {
        if (type == CompressionType.NONE) {
            return compressed;
        }
        if (type == CompressionType.SNAPPY) {
            SnappyClaims.check(compressed);
        }
        ByteBuf plain = Unpooled.buffer(Math.max(LEAST_BYTES, Math.min(allowedBytes, compressed.readableBytes() * 2)));
        try (InputStream in = reader(type, new ByteBufInputStream(compressed))) {
            int count = 0;
            while (count >= 0) {
                if (plain.readableBytes() > allowedBytes) {
                    throw new CorruptBatchException("Records of " + compressed.capacity() + " bytes compressed with "
                            + type.typeName() + " come to more than the " + allowedBytes + " that they may");
                }
                if (plain.writableBytes() < COPY_BYTES) {
                    plain.capacity(Math.min(2 * plain.capacity(), allowedBytes) + COPY_BYTES);
                }
                count = plain.writeBytes(in, COPY_BYTES);
            }
            return plain;
        } catch (CorruptBatchException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The codecs' libraries tell of damage with runtime exceptions of many kinds, LZ4 with bare ones.
            throw new CorruptBatchException(
                    "Records that are said to be compressed with " + type.typeName() + " are not: " + e.getMessage(),
                    e);
        } catch (LinkageError e) {
            throw new CodecMissingException(type, artifact(type), e);
        }
    }

    /** The bytes, compressed; a new buffer on the heap unless there is nothing to do. */
    static ByteBuf compress(CompressionType type, ByteBuf plain) {
        if (type == CompressionType.NONE) {
            return plain;
        }
        ByteBuf compressed = Unpooled.buffer(Math.max(LEAST_BYTES, plain.readableBytes() / 2));
        try (OutputStream out = writer(type, new ByteBufOutputStream(compressed))) {
            plain.getBytes(plain.readerIndex(), out, plain.readableBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("Compression with " + type.typeName() + " failed", e);
        } catch (LinkageError e) {
            throw new CodecMissingException(type, artifact(type), e);
        }
        return compressed;
    }

    private static InputStream reader(CompressionType type, InputStream from) throws IOException {
        return switch (type) {
            case NONE -> from;
            case GZIP -> new GZIPInputStream(from);
            case SNAPPY -> Snappy.reader(from);
            case LZ4 -> Lz4.reader(from);
            case ZSTD -> Zstd.reader(from);
        };
    }

    private static OutputStream writer(CompressionType type, OutputStream to) throws IOException {
        return switch (type) {
            case NONE -> to;
            case GZIP -> new GZIPOutputStream(to);
            case SNAPPY -> Snappy.writer(to);
            case LZ4 -> Lz4.writer(to);
            case ZSTD -> Zstd.writer(to);
        };
    }

    private static String artifact(CompressionType type) {
        return switch (type) {
            case NONE, GZIP -> "the JDK's java.base";
            case SNAPPY -> "org.xerial.snappy:snappy-java";
            case LZ4 -> "at.yawk.lz4:lz4-java";
            case ZSTD -> "com.github.luben:zstd-jni";
        };
    }

    // Each library in a class of its own, so that no other is loaded with it.

    private static final class Snappy {
        static InputStream reader(InputStream from) throws IOException {
            return new SnappyInputStream(from);
        }

        static OutputStream writer(OutputStream to) {
            return new SnappyOutputStream(to);
        }
    }

    private static final class Lz4 {
        static InputStream reader(InputStream from) throws IOException {
            return new LZ4FrameInputStream(from);
        }

        static OutputStream writer(OutputStream to) throws IOException {
            return new LZ4FrameOutputStream(to);
        }
    }

    private static final class Zstd {
        static InputStream reader(InputStream from) throws IOException {
            return new ZstdInputStream(from);
        }

        static OutputStream writer(OutputStream to) throws IOException {
            return new ZstdOutputStream(to);
        }
    }
}
