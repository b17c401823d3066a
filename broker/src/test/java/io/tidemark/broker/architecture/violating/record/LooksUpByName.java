package io.tidemark.broker.architecture.violating.record;

/** Finds a class by its name. */
public class LooksUpByName {
    Class<?> find(String name) throws ClassNotFoundException {
        return Class.forName(name);
    }
}
