package io.tidemark.broker.api;

import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.OffsetFetchRequest;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.tidemark.broker.protocol.message.OffsetFetchResponse;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** OffsetFetch: the committed offsets of groups. */
public final class OffsetFetchHandler implements ApiHandler<OffsetFetchRequest> {
    /** From this version on a request may name several groups (KIP-709). */
    private static final short GROUPS_VERSION = 8;

    /** From this version on topics are named by their ids (KIP-848). */
    private static final short TOPIC_ID_VERSION = 10;

    private final GroupAccess groups;

    public OffsetFetchHandler(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.OFFSET_FETCH;
    }

    @Override
    public void handle(RequestContext context, OffsetFetchRequest request) {
        short version = context.apiVersion();
        List<OffsetFetchRequestGroup> asked = groupsOf(request, version);
        Gather<OffsetFetchResponseGroup> answers =
                new Gather<>(asked.size(), whole -> context.respond(OffsetFetchShapes.response(whole, version)));
        for (int i = 0; i < asked.size(); i++) {
            int place = i;
            fetch(asked.get(i), version, request.requireStable(), answer -> answers.put(place, answer));
        }
    }

    private static List<OffsetFetchRequestGroup> groupsOf(OffsetFetchRequest request, short version) {
        return version >= GROUPS_VERSION ? request.groups() : List.of(OffsetFetchShapes.groupOf(request));
    }

    private void fetch(
            OffsetFetchRequestGroup asked,
            short version,
            boolean requireStable,
            Consumer<OffsetFetchResponseGroup> answer) {
        OffsetFetchRequestGroup known = withNamesAndIds(asked, version);
        Respond<OffsetFetchResponseGroup> completion = new Respond<>(
                found -> answer.accept(complete(asked, found, version)),
                error -> answer.accept(OffsetFetchShapes.failed(asked, error)));
        int partition = groups.partitionOf(asked.groupId());
        if (requireStable) {
            // Who asks for stable offsets must see every commit that was acknowledged or soon will be (KIP-447).
            groups.runtime()
                    .write(
                            partition,
                            groups.commitTimeoutMs(),
                            (shard, nowMs) -> CoordinatorResult.of(shard.fetchOffsets(known, true)),
                            completion);
        } else {
            groups.runtime().read(partition, (shard, nowMs) -> shard.fetchOffsets(known, false), completion);
        }
    }

    /** The topics that exist, each with its name and its id; without ids, those too that do not exist any more. */
    private OffsetFetchRequestGroup withNamesAndIds(OffsetFetchRequestGroup asked, short version) {
        OffsetFetchRequestGroup known = new OffsetFetchRequestGroup()
                .setGroupId(asked.groupId())
                .setMemberId(asked.memberId())
                .setMemberEpoch(asked.memberEpoch());
        List<OffsetFetchRequestTopics> topics = asked.topics();
        if (topics == null) {
            return known.setTopics(null);
        }
        List<OffsetFetchRequestTopics> kept = new ArrayList<>();
        for (OffsetFetchRequestTopics topic : topics) {
            TopicImage image = version >= TOPIC_ID_VERSION
                    ? groups.image().topics().topic(topic.topicId())
                    : groups.image().topics().topic(topic.name());
            if (image != null) {
                kept.add(new OffsetFetchRequestTopics()
                        .setName(image.name())
                        .setTopicId(image.id())
                        .setPartitionIndexes(topic.partitionIndexes()));
            } else if (version < TOPIC_ID_VERSION) {
                kept.add(topic);
            }
        }
        return known.setTopics(kept);
    }

    private OffsetFetchResponseGroup complete(
            OffsetFetchRequestGroup asked, OffsetFetchResponseGroup found, short version) {
        if (version < TOPIC_ID_VERSION) {
            return found;
        }
        List<OffsetFetchRequestTopics> topics = asked.topics();
        return topics == null ? withIds(found) : withUnknownIds(topics, found);
    }

    /** All offsets of a group, in the topics that there are: what has no id cannot be told. */
    private OffsetFetchResponseGroup withIds(OffsetFetchResponseGroup found) {
        List<OffsetFetchResponseTopics> topics = new ArrayList<>();
        for (OffsetFetchResponseTopics topic : found.topics()) {
            TopicImage image = groups.image().topics().topic(topic.name());
            if (image != null) {
                topics.add(topic.setTopicId(image.id()));
            }
        }
        return found.setTopics(topics);
    }

    private static OffsetFetchResponseGroup withUnknownIds(
            List<OffsetFetchRequestTopics> asked, OffsetFetchResponseGroup found) {
        List<OffsetFetchResponseTopics> topics = new ArrayList<>();
        for (OffsetFetchRequestTopics topic : asked) {
            topics.add(found.topics().stream()
                    .filter(answer -> answer.topicId().equals(topic.topicId()))
                    .findFirst()
                    .orElseGet(() -> unknown(topic)));
        }
        return found.setTopics(topics);
    }

    private static OffsetFetchResponseTopics unknown(OffsetFetchRequestTopics topic) {
        OffsetFetchResponseTopics answer = new OffsetFetchResponseTopics().setTopicId(topic.topicId());
        for (int partition : topic.partitionIndexes()) {
            answer.partitions()
                    .add(new OffsetFetchResponsePartitions()
                            .setPartitionIndex(partition)
                            .setCommittedOffset(OffsetFetchShapes.NO_OFFSET)
                            .setMetadata("")
                            .setErrorCode(ErrorCode.UNKNOWN_TOPIC_ID.code()));
        }
        return answer;
    }

    @Override
    public OffsetFetchResponse errorResponse(OffsetFetchRequest request, short version, ErrorCode error) {
        List<OffsetFetchResponseGroup> failed = new ArrayList<>();
        for (OffsetFetchRequestGroup group : groupsOf(request, version)) {
            failed.add(OffsetFetchShapes.failed(group, error));
        }
        return OffsetFetchShapes.response(failed, version);
    }
}
