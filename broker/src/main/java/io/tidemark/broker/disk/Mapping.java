package io.tidemark.broker.disk;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import org.jspecify.annotations.Nullable;

/**
 * A mapping that can be undone at once, which the plain {@code FileChannel.map} leaves to the garbage collector. Java 22
 * and later have it in public API (an {@code Arena}); up to Java 21 there is {@code Unsafe.invokeCleaner} alone, which
 * later ones warn of. This code is compiled for Java 17, hence the handles: the one place where the broker looks
 * something up by its name, once in a process.
 */
record Mapping(MappedByteBuffer buffer, @Nullable AutoCloseable arena) {
    private static final Unmapper UNMAPPER = Unmapper.find();

    static Mapping of(FileChannel channel, long sizeBytes) throws IOException {
        return UNMAPPER.map(channel, sizeBytes);
    }

    /** The buffer must not be used any more. */
    void unmap() {
        UNMAPPER.unmap(this);
    }

    /** How this Java undoes a mapping. */
    private interface Unmapper {
        Mapping map(FileChannel channel, long sizeBytes) throws IOException;

        void unmap(Mapping mapping);

        static Unmapper find() {
            try {
                return new ArenaUnmapper();
            } catch (ReflectiveOperationException beforeJava22) {
                return new CleanerUnmapper();
            }
        }
    }

    /** Java 22 and later. */
    private static final class ArenaUnmapper implements Unmapper {
        private final MethodHandle newArena;
        private final MethodHandle mapInArena;
        private final MethodHandle asByteBuffer;

        ArenaUnmapper() throws ReflectiveOperationException {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Class<?> arena = lookup.findClass("java.lang.foreign.Arena");
            Class<?> segment = lookup.findClass("java.lang.foreign.MemorySegment");
            newArena = lookup.findStatic(arena, "ofShared", MethodType.methodType(arena));
            mapInArena = lookup.findVirtual(
                    FileChannel.class,
                    "map",
                    MethodType.methodType(segment, MapMode.class, long.class, long.class, arena));
            asByteBuffer = lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
        }

        @Override
        public Mapping map(FileChannel channel, long sizeBytes) throws IOException {
            try {
                AutoCloseable arena = (AutoCloseable) newArena.invoke();
                Object segment = mapInArena.invoke(channel, MapMode.READ_WRITE, 0L, sizeBytes, arena);
                return new Mapping((MappedByteBuffer) (ByteBuffer) asByteBuffer.invoke(segment), arena);
            } catch (IOException | RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("Mapping failed in an unforeseen way", e);
            }
        }

        @Override
        public void unmap(Mapping mapping) {
            AutoCloseable arena = mapping.arena();
            if (arena == null) {
                return;
            }
            try {
                arena.close();
            } catch (Exception e) {
                throw new IllegalStateException("A mapping could not be undone", e);
            }
        }
    }

    /** Java 17 to 21. */
    private static final class CleanerUnmapper implements Unmapper {
        private final @Nullable MethodHandle invokeCleaner = invokeCleaner();

        private static @Nullable MethodHandle invokeCleaner() {
            try {
                Class<?> unsafe = MethodHandles.lookup().findClass("sun.misc.Unsafe");
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(unsafe, MethodHandles.lookup());
                return lookup.findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                        .bindTo(lookup.findStaticVarHandle(unsafe, "theUnsafe", unsafe)
                                .get());
            } catch (ReflectiveOperationException | RuntimeException e) {
                // A run time without the module jdk.unsupported: the garbage collector will unmap, later.
                return null;
            }
        }

        @Override
        public Mapping map(FileChannel channel, long sizeBytes) throws IOException {
            return new Mapping(channel.map(MapMode.READ_WRITE, 0, sizeBytes), null);
        }

        @Override
        public void unmap(Mapping mapping) {
            if (invokeCleaner == null) {
                return;
            }
            try {
                invokeCleaner.invoke(mapping.buffer());
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("A mapping could not be undone", e);
            }
        }
    }
}
