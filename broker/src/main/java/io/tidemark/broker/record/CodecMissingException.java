package io.tidemark.broker.record;

/** A batch's compression needs a library that the application did not bring. The message names the artifact. */
public final class CodecMissingException extends CorruptBatchException {
    private static final long serialVersionUID = 1L;

    CodecMissingException(CompressionType type, String artifact, Throwable cause) {
        super(
                "Records are compressed with " + type.typeName() + ", and its library is not on the class path; add "
                        + artifact + " (kafka-clients brings it)",
                cause);
    }
}
