package io.tidemark.broker.disk;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * By way of {@code java.lang.foreign}, which is public API from Java 22 on. This code is compiled for Java 17, hence the
 * handles. Java 24 and later warn on the first use unless the user allows it with {@code --enable-native-access}.
 */
final class ForeignCalls implements LinuxCalls {
    private final MethodHandle segmentOf;
    private final MethodHandle open;
    private final MethodHandle close;
    private final MethodHandle fadvise;
    private final MethodHandle mmap;
    private final MethodHandle munmap;
    private final MethodHandle mincore;
    private final int pageSize;

    /**
     * @throws ReflectiveOperationException if this Java has no {@code java.lang.foreign}
     * @throws IllegalCallerException if native access is denied to this code
     */
    ForeignCalls() throws ReflectiveOperationException {
        CLibrary library = new CLibrary(MethodHandles.lookup());
        Object ofInt = library.layout("JAVA_INT", "OfInt");
        Object ofLong = library.layout("JAVA_LONG", "OfLong");
        Object address = library.addressLayout();
        segmentOf = library.segmentOf();
        open = library.link("open", 2, ofInt, address, ofInt);
        close = library.link("close", 1, ofInt, ofInt);
        fadvise = library.link("posix_fadvise", 4, ofInt, ofInt, ofLong, ofLong, ofInt);
        mmap = library.link("mmap", 6, ofLong, ofLong, ofLong, ofInt, ofInt, ofInt, ofLong);
        munmap = library.link("munmap", 2, ofInt, ofLong, ofLong);
        mincore = library.link("mincore", 3, ofInt, ofLong, ofLong, address);
        pageSize = (int) call("getpagesize", library.link("getpagesize", 0, ofInt), newErrno());
    }

    @Override
    public int getpagesize() {
        return pageSize;
    }

    @Override
    public int open(String path) throws IOException {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        ByteBuffer text = ByteBuffer.allocateDirect(name.length + 1).put(0, name);
        return (int) checked("open", open, segmentOf(text), O_RDONLY_O_CLOEXEC);
    }

    @Override
    public void close(int descriptor) throws IOException {
        checked("close", close, descriptor);
    }

    @Override
    public void fadviseDontNeed(int descriptor) throws IOException {
        int error = (int) checked("posix_fadvise", fadvise, descriptor, 0L, 0L, POSIX_FADV_DONTNEED);
        if (error != 0) {
            throw LinuxCalls.failed("posix_fadvise", error);
        }
    }

    @Override
    public long mmap(int descriptor, long position, long bytes) throws IOException {
        return checked("mmap", mmap, 0L, bytes, PROT_READ, MAP_SHARED, descriptor, position);
    }

    @Override
    public void munmap(long address, long bytes) throws IOException {
        checked("munmap", munmap, address, bytes);
    }

    @Override
    public void mincore(long address, long bytes, ByteBuffer pages) throws IOException {
        checked("mincore", mincore, address, bytes, segmentOf(pages));
    }

    private long checked(String function, MethodHandle handle, Object... arguments) throws IOException {
        ByteBuffer errno = newErrno();
        return LinuxCalls.checked(function, call(function, handle, errno, arguments), errno.getInt(0));
    }

    /** The one member of the state that Linux keeps of a call. */
    private static ByteBuffer newErrno() {
        return ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
    }

    private long call(String function, MethodHandle handle, ByteBuffer errno, Object... arguments) {
        List<Object> all = new ArrayList<>();
        all.add(segmentOf(errno));
        all.addAll(List.of(arguments));
        return ((Number) invoke(function, handle, all)).longValue();
    }

    private Object segmentOf(ByteBuffer direct) {
        return invoke("MemorySegment.ofBuffer", segmentOf, List.of(direct));
    }

    private static Object invoke(String function, MethodHandle handle, List<?> arguments) {
        try {
            return handle.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(function + " failed in an unforeseen way", e);
        }
    }

    /** Finds functions of the C library that this process has anyway. */
    private static final class CLibrary {
        private static final String FOREIGN = "java.lang.foreign.";

        private final MethodHandles.Lookup lookup;
        private final Class<?> valueLayout;
        private final Class<?> segment;
        private final MethodHandle describe;
        private final MethodHandle find;
        private final MethodHandle downcall;
        private final MethodHandle variadicFrom;
        private final Object keepErrno;

        CLibrary(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
            this.lookup = lookup;
            valueLayout = foreign("ValueLayout");
            segment = foreign("MemorySegment");
            Class<?> layout = foreign("MemoryLayout");
            Class<?> descriptor = foreign("FunctionDescriptor");
            Class<?> linker = foreign("Linker");
            Class<?> option = foreign("Linker$Option");
            Class<?> symbols = foreign("SymbolLookup");
            describe =
                    lookup.findStatic(descriptor, "of", MethodType.methodType(descriptor, layout, layout.arrayType()));
            Object nativeLinker = invoke(
                    "Linker.nativeLinker",
                    lookup.findStatic(linker, "nativeLinker", MethodType.methodType(linker)),
                    List.of());
            Object defaultLookup = invoke(
                    "Linker.defaultLookup",
                    lookup.findVirtual(linker, "defaultLookup", MethodType.methodType(symbols)),
                    List.of(nativeLinker));
            find = lookup.findVirtual(symbols, "find", MethodType.methodType(Optional.class, String.class))
                    .bindTo(defaultLookup);
            // The varargs are made anew, since binding the receiver takes them away.
            downcall = lookup.findVirtual(
                            linker,
                            "downcallHandle",
                            MethodType.methodType(MethodHandle.class, segment, descriptor, option.arrayType()))
                    .bindTo(nativeLinker)
                    .asVarargsCollector(option.arrayType());
            variadicFrom = lookup.findStatic(option, "firstVariadicArg", MethodType.methodType(option, int.class));
            keepErrno = invoke(
                    "Linker.Option.captureCallState",
                    lookup.findStatic(option, "captureCallState", MethodType.methodType(option, String[].class)),
                    List.of("errno"));
        }

        private Class<?> foreign(String name) throws ReflectiveOperationException {
            return lookup.findClass(FOREIGN + name);
        }

        Object layout(String name, String type) throws ReflectiveOperationException {
            return lookup.findStaticVarHandle(valueLayout, name, foreign("ValueLayout$" + type))
                    .get();
        }

        Object addressLayout() throws ReflectiveOperationException {
            return lookup.findStaticVarHandle(valueLayout, "ADDRESS", foreign("AddressLayout"))
                    .get();
        }

        MethodHandle segmentOf() throws ReflectiveOperationException {
            return lookup.findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class));
        }

        /**
         * A handle that takes a place for {@code errno}, then the function's own arguments.
         *
         * @param named the count of arguments that have names in the function's declaration
         */
        MethodHandle link(String function, int named, Object result, Object... arguments) {
            List<Object> layouts = new ArrayList<>(List.of(arguments));
            layouts.add(0, result);
            Object address = ((Optional<?>) invoke("SymbolLookup.find", find, List.of(function)))
                    .orElseThrow(() -> new NoSuchElementException("The C library has no " + function));
            Object variadic = invoke("Linker.Option.firstVariadicArg", variadicFrom, List.of(named));
            return (MethodHandle) invoke(
                    "Linker.downcallHandle",
                    downcall,
                    List.of(address, invoke("FunctionDescriptor.of", describe, layouts), keepErrno, variadic));
        }
    }
}
