package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Counts what is read through a disk's door; what is read through mappings is not in it. */
final class ReadCounter {
    long bytesRead;

    Disk of(Disk disk) {
        return proxy(Disk.class, disk);
    }

    private <T> T proxy(Class<T> type, T real) {
        InvocationHandler counting = (proxy, method, arguments) -> {
            try {
                Object result = method.invoke(real, arguments);
                if (result instanceof DiskFile file) {
                    return proxy(DiskFile.class, file);
                }
                if (method.getName().equals("read")) {
                    bytesRead += Math.max(0, (Integer) result);
                } else if (result instanceof byte[] content) {
                    bytesRead += content.length;
                }
                return result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, counting));
    }
}
