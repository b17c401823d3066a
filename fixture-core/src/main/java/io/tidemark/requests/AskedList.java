package io.tidemark.requests;

import io.tidemark.requests.MessageFields.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A list of a request that a list of its answer replies to.
 *
 * @param name the field's name
 * @param items its elements; empty where the request has none
 * @param elementType what it has
 */
record AskedList(String name, List<?> items, Class<?> elementType) {
    /** The lists that one of the answer replies to: of the same name, else of elements that share a field with its own. */
    static List<AskedList> of(List<Object> asked, Field answerList) {
        List<AskedList> all = new ArrayList<>();
        // What is innermost is meant; outer ones are only where names come from.
        collect(asked.get(0), all);
        List<AskedList> same = all.stream()
                .filter(list -> list.name().equals(answerList.name()))
                .toList();
        if (!same.isEmpty()) {
            return same;
        }
        Set<String> answerNames = names(answerList.elementType());
        List<AskedList> sharing = all.stream()
                .filter(list -> MessageFields.isStruct(list.elementType())
                        ? !disjoint(answerNames, names(list.elementType()))
                        : isNamedIn(list.name(), answerNames))
                .toList();
        return sharing.isEmpty() && all.size() == 1 ? all : sharing;
    }

    private static void collect(Object struct, List<AskedList> into) {
        for (Field field : MessageFields.of(struct.getClass())) {
            // What a fetch session leaves out is not asked for.
            if (field.isList() && !field.name().startsWith("forgotten")) {
                Object value = field.in(struct);
                List<?> items = value == null ? List.of() : (List<?>) value;
                into.add(new AskedList(field.name(), items, field.elementType()));
            }
        }
        if (into.stream().noneMatch(list -> MessageFields.isStruct(list.elementType()))) {
            return;
        }
        // Some answers leave a level out.
        List<AskedList> deeper = new ArrayList<>();
        for (AskedList list : List.copyOf(into)) {
            for (Object item : list.items()) {
                if (MessageFields.isStruct(item.getClass())) {
                    collect(item, deeper);
                }
            }
        }
        into.addAll(deeper.stream()
                .filter(list -> !list.name().startsWith("partition"))
                .toList());
    }

    private static Set<String> names(Class<?> struct) {
        return MessageFields.of(struct).stream()
                .filter(field -> !field.isList())
                .flatMap(field -> Synonyms.of(field.name()).stream())
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static boolean disjoint(Set<String> some, Set<String> others) {
        return others.stream().noneMatch(some::contains);
    }

    /** A list of topicNames is of an element with a topicName, one of groups of one with a groupId. */
    private static boolean isNamedIn(String list, Set<String> names) {
        String lower = list.toLowerCase(Locale.ROOT);
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).anyMatch(name -> {
            String stem = name.endsWith("id") ? name.substring(0, name.length() - 2) : name;
            return lower.startsWith(stem) || lower.endsWith(stem + "s");
        });
    }
}
