package io.tidemark.requests;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.transport.InterceptedRequest;
import io.tidemark.broker.types.Uuid;
import io.tidemark.requests.RequestAction.Stage;
import io.tidemark.requests.RequestFacts.TopicPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The way of one request through the faults, one after another, and back. On the loop of the node that was sent it. */
final class Passage {
    private static final RequestFacts NOTHING = new RequestFacts(List.of(), Set.of(), Set.of());

    private final RequestFaultBoard board;
    private final InterceptedRequest request;
    private final List<RequestFault> faults;
    private final List<RequestFault> struckBy = new ArrayList<>();
    private RequestFacts facts = NOTHING;
    private @Nullable OutboundFrame answer;
    private int nextFault;
    private int nextStriker;
    private boolean isRepeated;

    Passage(RequestFaultBoard board, InterceptedRequest request, List<RequestFault> faults) {
        this.board = board;
        this.request = request;
        this.faults = faults;
    }

    InterceptedRequest request() {
        return request;
    }

    RequestFacts facts() {
        return facts;
    }

    TopicNames topicNames() {
        return board.topicNames();
    }

    void start() {
        boolean isLookedInto = faults.stream()
                .anyMatch(
                        fault -> fault.scope().asksForContent() && fault.scope().coversEnvelope(request));
        ApiMessage body = isLookedInto ? request.body() : null;
        if (body == null) {
            next();
            return;
        }
        facts = RequestFacts.of(request.apiKey(), body);
        if (body instanceof FetchRequest fetch && !followSession(fetch)) {
            ErrorAnswer.to(ApiKey.FETCH, request.version(), body, ErrorCode.FETCH_SESSION_ID_NOT_FOUND)
                    .ifPresentOrElse(request::answer, this::next);
            return;
        }
        boolean isAllKnown = facts.parts().stream()
                .map(TopicPart::topicId)
                .allMatch(id -> id.equals(Uuid.ZERO) || topicNames().knows(id));
        if (isAllKnown) {
            next();
        } else {
            board.learnTopics(request.nodeId(), () -> request.loop().execute(this::next));
        }
    }

    private boolean followSession(FetchRequest fetch) {
        FetchTopics session = request.linkAttachment() instanceof FetchTopics known ? known : new FetchTopics();
        request.attachToLink(session);
        if (!session.follow(fetch)) {
            return false;
        }
        facts = new RequestFacts(session.parts(), facts.groups(), facts.transactionalIds());
        return true;
    }

    /** Goes on to the next fault, and past the last one to the node. */
    void next() {
        while (nextFault < faults.size()) {
            RequestFault fault = faults.get(nextFault++);
            if (fault.strikes(this)) {
                struckBy.add(fault);
                tellIf(fault, Stage.BEFORE);
                if (fault.action().before(this, fault)) {
                    return;
                }
            }
        }
        request.pass();
    }

    /** The node has answered, with nothing where null. */
    void answered(@Nullable OutboundFrame given, List<RequestFault> allFaults) {
        answer = given;
        nextStriker = 0;
        for (RequestFault fault : allFaults) {
            if (fault.action().isOfLink() && !knows(fault) && fault.strikes(this)) {
                struckBy.add(fault);
                tellIf(fault, Stage.BEFORE);
            }
        }
        nextAfter();
    }

    /** Goes on to the next of the faults that struck, and past the last one back to the client. */
    void nextAfter() {
        while (nextStriker < struckBy.size()) {
            RequestFault fault = struckBy.get(nextStriker++);
            if (!fault.isHealed()) {
                tellIf(fault, Stage.AFTER);
                if (fault.action().after(this, fault)) {
                    return;
                }
            }
        }
        request.send();
    }

    private void tellIf(RequestFault fault, Stage stage) {
        if (fault.action().stage() == stage) {
            fault.tell(this);
        }
    }

    /** Whether a fault was there already when the request came. */
    boolean knows(RequestFault fault) {
        return faults.contains(fault);
    }

    long answerBytes() {
        return answer == null ? 0 : answer.sizeInBytes();
    }

    /** Always true: a fault that waits has taken the request over. */
    boolean wait(long ms, Runnable then) {
        request.loop().schedule(Math.max(0, ms), then);
        return true;
    }

    /** Has the node handle it again; false the second time. */
    boolean repeatOnce() {
        if (isRepeated) {
            return false;
        }
        isRepeated = true;
        request.again();
        return true;
    }

    RequestStrike strike() {
        List<String> about = new ArrayList<>();
        for (TopicPart part : facts.parts()) {
            String name = part.name().isEmpty() ? topicNames().nameOf(part.topicId()) : part.name();
            about.add(
                    part.partitions().isEmpty()
                            ? name
                            : part.partitions().stream()
                                    .map(partition -> name + "-" + partition)
                                    .collect(Collectors.joining(" ")));
        }
        about.addAll(facts.groups());
        about.addAll(facts.transactionalIds());
        return new RequestStrike(
                request.nodeId(),
                request.apiKey().name(),
                request.version(),
                request.clientId(),
                String.join(" ", about));
    }
}
