package io.tidemark.requests;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.transport.InterceptedRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Which requests a fault covers. Immutable; each empty set stands for any. */
record RequestScope(
        Set<ApiKey> apis,
        Set<String> clientIds,
        Set<Integer> senders,
        Senders kind,
        Set<Integer> receivers,
        String topic,
        int partition,
        String group,
        String transactionalId) {
    private static final int ANY = -1;

    /** Whose requests are meant. */
    enum Senders {
        CLIENTS,
        NODES,
        ANYONE
    }

    /** What nodes call themselves: {@code node-1-replica-fetcher}. */
    private static final Pattern NODE = Pattern.compile("node-(\\d+)-.+");

    static final RequestScope CLIENTS =
            new RequestScope(Set.of(), Set.of(), Set.of(), Senders.CLIENTS, Set.of(), "", ANY, "", "");

    RequestScope on(Set<ApiKey> newApis) {
        Set<ApiKey> all = EnumSet.copyOf(newApis);
        all.addAll(apis);
        return new RequestScope(all, clientIds, senders, kind, receivers, topic, partition, group, transactionalId);
    }

    RequestScope fromClients(Set<String> ids) {
        return new RequestScope(
                apis,
                with(clientIds, ids),
                senders,
                Senders.CLIENTS,
                receivers,
                topic,
                partition,
                group,
                transactionalId);
    }

    RequestScope fromNodes(Set<Integer> ids) {
        return new RequestScope(
                apis,
                clientIds,
                with(senders, ids),
                Senders.NODES,
                receivers,
                topic,
                partition,
                group,
                transactionalId);
    }

    RequestScope fromAnyone() {
        return new RequestScope(
                apis, Set.of(), Set.of(), Senders.ANYONE, receivers, topic, partition, group, transactionalId);
    }

    RequestScope to(Set<Integer> ids) {
        return new RequestScope(
                apis, clientIds, senders, kind, with(receivers, ids), topic, partition, group, transactionalId);
    }

    RequestScope topic(String newTopic, int newPartition) {
        return new RequestScope(
                apis, clientIds, senders, kind, receivers, newTopic, newPartition, group, transactionalId);
    }

    RequestScope topic(String newTopic) {
        return topic(newTopic, ANY);
    }

    RequestScope group(String newGroup) {
        return new RequestScope(apis, clientIds, senders, kind, receivers, topic, partition, newGroup, transactionalId);
    }

    RequestScope transactionalId(String newId) {
        return new RequestScope(apis, clientIds, senders, kind, receivers, topic, partition, group, newId);
    }

    private static <T> Set<T> with(Set<T> some, Set<T> more) {
        Set<T> all = new TreeSet<>(some);
        all.addAll(more);
        return Set.copyOf(all);
    }

    /** Whether the API, the sender and the receiver are covered. */
    boolean coversEnvelope(InterceptedRequest request) {
        return (apis.isEmpty() || apis.contains(request.apiKey()))
                && (receivers.isEmpty() || receivers.contains(request.nodeId()))
                && coversSender(request.clientId());
    }

    boolean coversSender(String clientId) {
        var node = NODE.matcher(clientId);
        if (kind == Senders.ANYONE) {
            return true;
        }
        if (kind == Senders.NODES) {
            return node.matches() && (senders.isEmpty() || senders.contains(Integer.valueOf(node.group(1))));
        }
        return clientIds.isEmpty() ? !node.matches() : clientIds.contains(clientId);
    }

    boolean asksForContent() {
        return !topic.isEmpty() || !group.isEmpty() || !transactionalId.isEmpty();
    }

    /** Whether what it is about is covered. */
    boolean coversContent(RequestFacts facts, TopicNames names) {
        return (group.isEmpty() || facts.groups().contains(group))
                && (transactionalId.isEmpty() || facts.transactionalIds().contains(transactionalId))
                && (topic.isEmpty() || facts.parts().stream().anyMatch(part -> covers(part, names)));
    }

    private boolean covers(RequestFacts.TopicPart part, TopicNames names) {
        String name = part.name().isEmpty() ? names.nameOf(part.topicId()) : part.name();
        return topic.equals(name)
                && (partition == ANY
                        || part.partitions().isEmpty()
                        || part.partitions().contains(partition));
    }

    /** For example {@code PRODUCE from [orders-app] to [1] topic orders-0}. */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        words.add(
                apis.isEmpty()
                        ? "any request"
                        : apis.stream().map(ApiKey::name).sorted().collect(Collectors.joining(", ")));
        if (kind == Senders.ANYONE) {
            words.add("from anyone");
        } else if (kind == Senders.NODES) {
            words.add("from " + (senders.isEmpty() ? "any node" : "nodes " + new TreeSet<>(senders)));
        } else if (!clientIds.isEmpty()) {
            words.add("from " + new TreeSet<>(clientIds));
        }
        if (!receivers.isEmpty()) {
            words.add("to nodes " + new TreeSet<>(receivers));
        }
        if (!topic.isEmpty()) {
            words.add(partition == ANY ? "topic " + topic : "partition " + topic + "-" + partition);
        }
        if (!group.isEmpty()) {
            words.add("group " + group);
        }
        if (!transactionalId.isEmpty()) {
            words.add("transactional id " + transactionalId);
        }
        return String.join(" ", words);
    }
}
