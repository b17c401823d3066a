package io.tidemark;

import io.tidemark.backend.Backend;
import io.tidemark.backend.BackendNode;
import io.tidemark.backend.Capability;
import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.tidemark.broker.protocol.message.DeleteTopicsResponse;
import io.tidemark.broker.protocol.message.DeleteTopicsResponse.DeletableTopicResult;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsResponse;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsResponse.AlterConfigsResourceResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of a running cluster all that a test has put in. Groups, their offsets and transactions go with the internal
 * topics that hold them.
 */
final class ClusterReset {
    private static final byte SET = 0;
    private static final byte DELETE = 1;

    /** A node that goes down meanwhile is restarted after so long at most. */
    private static final long LOOK_MS = 1_000;

    private final List<ClusterNode> nodes;
    private final Backend backend;
    private final long timeoutMs;

    ClusterReset(List<ClusterNode> nodes, Backend backend, long timeoutMs) {
        this.nodes = nodes;
        this.backend = backend;
        this.timeoutMs = timeoutMs;
    }

    /** Ends every fault. On return every node serves, and every broker knows it of every other. */
    void heal(Supplier<ClusterView> look, Collection<Integer> brokerIds) {
        if (backend.capabilities().contains(Capability.CUT_LINKS)) {
            backend.links().releaseAll();
        }
        if (backend.capabilities().contains(Capability.REQUEST_FAULTS)) {
            backend.requestFaults().healAll();
        }
        for (ClusterNode node : nodes) {
            if (backend.capabilities().contains(Capability.DISK_FAULTS)) {
                node.disk().heal();
            }
        }
        if (backend.capabilities().contains(Capability.ADVANCE_CLOCK)) {
            backend.clock().reset();
        }
        if (backend.capabilities().contains(Capability.SKEW_CLOCK)) {
            nodes.forEach(node -> backend.skewClock(node.id(), 0));
        }
        mend(look, brokerIds);
    }

    private void mend(Supplier<ClusterView> look, Collection<Integer> brokerIds) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (true) {
            rouse(look);
            ClusterException missing;
            try {
                Readiness.await(look, brokerIds, List.of(), Math.min(LOOK_MS, timeoutMs));
                if (nodes.stream().allMatch(node -> node.state() == NodeState.RUNNING)) {
                    return;
                }
                missing = new ClusterException("The nodes are " + look.get().states());
            } catch (ClusterException e) {
                missing = e;
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new ClusterException(
                        "The cluster cannot be reset: not every node serves " + timeoutMs + " ms after all was healed. "
                                + missing.getMessage(),
                        missing);
            }
        }
    }

    private void rouse(Supplier<ClusterView> look) {
        nodes.stream().filter(node -> node.state() == NodeState.PAUSED).forEach(ClusterNode::resume);
        // What a disk has refused before it was healed takes its node down in the turn after the one that was refused.
        Stream.generate(look).limit(2).forEach(view -> {});
        // A broker cannot register without its controller.
        nodes.stream()
                .sorted(Comparator.comparing(ClusterNode::isBroker))
                .filter(node -> node.state() != NodeState.RUNNING)
                .forEach(ClusterNode::restart);
    }

    /** Deletes every topic and takes back every config. On return no broker knows of a topic. */
    void empty(
            Supplier<ClusterView> look,
            BackendNode decider,
            Collection<Integer> brokerIds,
            Map<ConfigResource, SortedMap<String, String>> firstConfigs) {
        MetadataImage metadata = look.get().metadata();
        if (metadata != null) {
            deleteTopics(metadata, decider);
            restoreConfigs(metadata.configs(), firstConfigs, decider);
        }
        Readiness.awaitNothing(() -> remains(look.get(), brokerIds), "The cluster is not empty", timeoutMs);
    }

    private void deleteTopics(MetadataImage metadata, BackendNode decider) {
        Collection<String> names = metadata.topics().byName().keySet();
        if (names.isEmpty()) {
            return;
        }
        DeleteTopicsRequest request = new DeleteTopicsRequest().setTimeoutMs(timeout());
        names.forEach(name -> request.topics().add(new DeleteTopicState().setName(name)));
        DeleteTopicsResponse response = (DeleteTopicsResponse) ask(decider, request, "delete its topics");
        for (DeletableTopicResult result : response.responses()) {
            if (result.errorCode() != ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()) {
                require(result.errorCode(), "topic [" + result.name() + "]", result.errorMessage());
            }
        }
    }

    private void restoreConfigs(
            Map<ConfigResource, SortedMap<String, String>> now,
            Map<ConfigResource, SortedMap<String, String>> first,
            BackendNode decider) {
        IncrementalAlterConfigsRequest request = new IncrementalAlterConfigsRequest();
        Set<ConfigResource> resources = new HashSet<>(now.keySet());
        resources.addAll(first.keySet());
        resources.removeIf(resource -> resource.type() == ConfigResource.TOPIC);
        for (ConfigResource resource : resources) {
            AlterConfigsResource change =
                    new AlterConfigsResource().setResourceType(resource.type()).setResourceName(resource.name());
            SortedMap<String, String> wanted = first.getOrDefault(resource, Collections.emptySortedMap());
            SortedMap<String, String> actual = now.getOrDefault(resource, Collections.emptySortedMap());
            actual.forEach((name, value) -> {
                if (!wanted.containsKey(name)) {
                    change.configs().add(operation(name, DELETE, null));
                }
            });
            wanted.forEach((name, value) -> {
                if (!value.equals(actual.get(name))) {
                    change.configs().add(operation(name, SET, value));
                }
            });
            if (!change.configs().isEmpty()) {
                request.resources().add(change);
            }
        }
        if (request.resources().isEmpty()) {
            return;
        }
        IncrementalAlterConfigsResponse response =
                (IncrementalAlterConfigsResponse) ask(decider, request, "take its configs back");
        for (AlterConfigsResourceResponse result : response.responses()) {
            require(result.errorCode(), "the configs of [" + result.resourceName() + "]", result.errorMessage());
        }
    }

    private static AlterableConfig operation(String name, byte operation, @Nullable String value) {
        return new AlterableConfig().setName(name).setConfigOperation(operation).setValue(value);
    }

    private static List<String> remains(ClusterView view, Collection<Integer> brokerIds) {
        List<String> remains = new ArrayList<>();
        for (int brokerId : brokerIds) {
            NodeSnapshot snapshot = view.snapshots().get(brokerId);
            if (snapshot == null) {
                remains.add("broker " + brokerId + " does not answer; it is "
                        + view.states().get(brokerId));
                continue;
            }
            Collection<String> topics = snapshot.metadata().topics().byName().keySet();
            if (!topics.isEmpty()) {
                remains.add("broker " + brokerId + " still knows the topics " + topics);
            } else if (!snapshot.partitions().isEmpty()) {
                remains.add("broker " + brokerId + " still has the partitions "
                        + snapshot.partitions().keySet());
            }
        }
        return remains;
    }

    private ApiMessage ask(BackendNode decider, ApiMessage request, String what) {
        return Outcome.await(decider.call(request), timeoutMs, "reset the cluster: " + what);
    }

    private int timeout() {
        return (int) Math.min(timeoutMs, Integer.MAX_VALUE);
    }

    private static void require(short errorCode, String what, @Nullable String reason) {
        if (errorCode != ErrorCode.NONE.code()) {
            throw new ClusterException("The cluster cannot be reset: " + what + " stays, refused with "
                    + ErrorCode.forCode(errorCode) + (reason == null ? "" : ": " + reason));
        }
    }
}
