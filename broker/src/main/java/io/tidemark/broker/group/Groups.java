package io.tidemark.broker.group;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The groups of a shard, by id. */
final class Groups {
    private final SortedMap<String, ClassicGroup> byId = new TreeMap<>();

    @Nullable
    ClassicGroup find(String groupId) {
        return byId.get(groupId);
    }

    ClassicGroup create(String groupId, long nowMs) {
        ClassicGroup group = new ClassicGroup(groupId, nowMs);
        byId.put(groupId, group);
        return group;
    }

    void put(ClassicGroup group) {
        byId.put(group.id(), group);
    }

    void remove(String groupId) {
        byId.remove(groupId);
    }

    void with(String groupId, Consumer<ClassicGroup> action) {
        ClassicGroup group = byId.get(groupId);
        if (group != null) {
            action.accept(group);
        }
    }

    List<ClassicGroup> all() {
        return new ArrayList<>(byId.values());
    }
}
