package io.tidemark.requests;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.InvalidMessageException;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.MessageWriter;
import io.tidemark.requests.MessageFields.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The answer to any request in which everything that was asked for failed with one error. It is made from the shapes of
 * the two messages alone: each error field gets the error, and each list of the answer whose elements carry one gets an
 * element for each that the list of the request it belongs to has, with all that both know, as a topic's name.
 */
final class ErrorAnswer {
    /** Whose error at the top is of the session, while those of partitions are what was asked for. */
    private static final Set<ApiKey> OF_SESSIONS = Set.of(ApiKey.FETCH, ApiKey.SHARE_FETCH, ApiKey.SHARE_ACKNOWLEDGE);

    private static final Set<ErrorCode> SESSION_ERRORS = Set.of(
            ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
            ErrorCode.INVALID_FETCH_SESSION_EPOCH,
            ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
            ErrorCode.SHARE_SESSION_NOT_FOUND,
            ErrorCode.INVALID_SHARE_SESSION_EPOCH,
            ErrorCode.SHARE_SESSION_LIMIT_REACHED);

    private final short version;
    private final short code;
    private final boolean isOfParts;
    private final boolean isOfWhole;

    private ErrorAnswer(short version, ErrorCode error, boolean isOfParts, boolean isOfWhole) {
        this.version = version;
        this.code = error.code();
        this.isOfParts = isOfParts;
        this.isOfWhole = isOfWhole;
    }

    /** Empty where the answer to such a request has no place for an error, as Metadata for all topics before version 13. */
    static Optional<ApiMessage> to(ApiKey apiKey, short version, ApiMessage request, ErrorCode error) {
        boolean isOfSession = OF_SESSIONS.contains(apiKey);
        if (isOfSession && !SESSION_ERRORS.contains(error)) {
            ApiMessage ofParts = new ErrorAnswer(version, error, false, false).answer(apiKey, request);
            if (carries(apiKey, version, ofParts, error)) {
                return Optional.of(ofParts);
            }
        }
        ApiMessage answer = new ErrorAnswer(version, error, false, true).answer(apiKey, request);
        if (carries(apiKey, version, answer, error)) {
            return Optional.of(answer);
        }
        // Nothing was asked for by name: the error is that of a part that has none.
        answer = new ErrorAnswer(version, error, true, true).answer(apiKey, request);
        return carries(apiKey, version, answer, error) ? Optional.of(answer) : Optional.empty();
    }

    /** Read again, since a version leaves out what it need not know. */
    private static boolean carries(ApiKey apiKey, short version, ApiMessage answer, ErrorCode error) {
        MessageWriter out = new MessageWriter();
        answer.write(out, version);
        ApiMessage read = apiKey.newResponse();
        read.read(new MessageReader(Unpooled.wrappedBuffer(out.toByteArray())), version);
        return carries(read, error.code());
    }

    private static boolean carries(Object struct, short code) {
        for (Field field : MessageFields.of(struct.getClass())) {
            if (isError(field)) {
                if (Objects.equals(field.in(struct), code)) {
                    return true;
                }
            } else if (field.isList() && field.in(struct) instanceof List<?> elements) {
                if (elements.stream()
                        .anyMatch(element -> MessageFields.isStruct(element.getClass()) && carries(element, code))) {
                    return true;
                }
            }
        }
        return false;
    }

    private ApiMessage answer(ApiKey apiKey, ApiMessage request) {
        ApiMessage response = apiKey.newResponse();
        fill(response, List.of(request));
        return response;
    }

    /** Fills a struct of the answer from what was asked: the innermost first. */
    private void fill(Object struct, List<Object> asked) {
        for (Field field : MessageFields.of(struct.getClass())) {
            if (isError(field)) {
                if (isOfWhole || !(struct instanceof ApiMessage)) {
                    setIfVersionHasIt(field, struct, code);
                }
            } else if (field.name().endsWith("rrorMessage")) {
                setIfVersionHasIt(field, struct, null);
            } else if (field.isList()) {
                if (isFailing(field.elementType())) {
                    fillList(field, struct, asked);
                }
            } else {
                Object known = knownAs(field, asked);
                if (known != null) {
                    setIfVersionHasIt(field, struct, known);
                }
            }
        }
    }

    private void fillList(Field field, Object struct, List<Object> asked) {
        // Does this version have it at all?
        Object probe = MessageFields.newStruct(field.elementType());
        if (!setIfVersionHasIt(field, struct, new ArrayList<>(List.of(probe)))) {
            return;
        }
        List<Object> elements = new ArrayList<>();
        field.set(struct, elements);
        for (AskedList list : AskedList.of(asked, field)) {
            for (Object item : list.items()) {
                Object element = MessageFields.newStruct(field.elementType());
                elements.add(element);
                List<Object> inner = new ArrayList<>();
                if (MessageFields.isStruct(item.getClass())) {
                    inner.add(item);
                } else {
                    name(element, item);
                }
                inner.addAll(asked);
                fill(element, inner);
            }
        }
        if (elements.isEmpty() && isOfParts && struct instanceof ApiMessage) {
            Object element = MessageFields.newStruct(field.elementType());
            elements.add(element);
            fill(element, asked);
        }
    }

    /** A list of names or numbers asked for: each is the first field of its type in the answer. */
    private void name(Object element, Object item) {
        for (Field field : MessageFields.of(element.getClass())) {
            boolean isOfType = item instanceof String
                    ? field.type() == String.class && !field.name().endsWith("Message")
                    : item instanceof Integer && field.type() == int.class && isNumberOfPartition(field.name());
            if (isOfType && isName(field.name()) && setIfVersionHasIt(field, element, item)) {
                return;
            }
        }
    }

    private static boolean isNumberOfPartition(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith("partition");
    }

    private static boolean isName(String name) {
        return isNumberOfPartition(name)
                || name.equals("name")
                || name.equals("key")
                || name.endsWith("Name")
                || name.equals("topic")
                || name.equals("user")
                || name.equals("groupId")
                || name.equals("transactionalId");
    }

    /** What the request calls by the same name, or by another name that Kafka has for the same thing. */
    private static @Nullable Object knownAs(Field field, List<Object> asked) {
        for (String name : Synonyms.of(field.name())) {
            for (Object struct : asked) {
                for (Field candidate : MessageFields.of(struct.getClass())) {
                    if (candidate.name().equals(name) && candidate.type() == field.type()) {
                        return candidate.in(struct);
                    }
                }
            }
        }
        return null;
    }

    /** Messages refuse at the write what their version cannot carry. */
    private boolean setIfVersionHasIt(Field field, Object struct, @Nullable Object value) {
        Object before = field.in(struct);
        field.set(struct, value);
        if (isWritable(struct)) {
            return true;
        }
        field.set(struct, before);
        return false;
    }

    private boolean isWritable(Object struct) {
        MessageWriter scratch = new MessageWriter();
        try {
            if (struct instanceof ApiMessage message) {
                message.write(scratch, version);
            } else {
                struct.getClass()
                        .getMethod("write", MessageWriter.class, short.class)
                        .invoke(struct, scratch, version);
            }
            return true;
        } catch (InvalidMessageException | InvocationTargetException e) {
            return false;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot write a " + struct.getClass(), e);
        }
    }

    private static boolean isError(Field field) {
        return field.type() == short.class
                && field.name().toLowerCase(Locale.ROOT).endsWith("errorcode");
    }

    private static boolean isFailing(Class<?> struct) {
        if (!MessageFields.isStruct(struct)) {
            return false;
        }
        for (Field field : MessageFields.of(struct)) {
            if (isError(field) || (field.isList() && isFailing(field.elementType()))) {
                return true;
            }
        }
        return false;
    }
}
