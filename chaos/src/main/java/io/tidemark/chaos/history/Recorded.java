package io.tidemark.chaos.history;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * A client that is handed on call by call. As a proxy it has whatever methods the application's version of kafka-clients
 * has.
 */
abstract class Recorded implements InvocationHandler {
    private final Object client;

    Recorded(Object client) {
        this.client = client;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // generic is the interface, not its class
    static <T> T as(Class<?> type, Recorded recorded) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, recorded);
    }

    /** Calls the client itself, and throws what it throws. */
    final Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(client, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    final boolean isOfObject(Method method) {
        return method.getDeclaringClass() == Object.class;
    }

    @Override
    public String toString() {
        return "recorded " + client;
    }
}
