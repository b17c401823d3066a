package io.tidemark.broker.disk;

/** What was done to a file since it was last forced. */
sealed interface FileChange {
    void applyTo(Bytes bytes);

    /** Bytes put at a position; compared with nothing. */
    @SuppressWarnings("ArrayRecordComponent")
    record Write(int position, byte[] data) implements FileChange {
        @Override
        public void applyTo(Bytes bytes) {
            bytes.write(position, data);
        }
    }

    /** Cut, or made longer with zeros. */
    record Resize(int size) implements FileChange {
        @Override
        public void applyTo(Bytes bytes) {
            bytes.resize(size);
        }
    }
}
