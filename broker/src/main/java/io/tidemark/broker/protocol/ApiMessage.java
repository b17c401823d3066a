package io.tidemark.broker.protocol;

/** A generated message: a request, a response, a header, or a record of one of Kafka's internal logs. */
public interface ApiMessage {
    /** The API key of a request or response, the type id of a metadata or coordinator record, else -1. */
    short apiKey();

    short lowestSupportedVersion();

    short highestSupportedVersion();

    /**
     * Reads all fields of the version and sets all others to their defaults. Unknown tagged fields are skipped.
     *
     * @throws InvalidMessageException if the bytes are not such a message, or the version is not supported
     */
    void read(MessageReader in, short version);

    /**
     * Writes the message.
     *
     * @throws InvalidMessageException if a field that the version cannot carry has a value other than its default and
     *     is not ignorable, or the version is not supported
     */
    void write(MessageWriter out, short version);
}
