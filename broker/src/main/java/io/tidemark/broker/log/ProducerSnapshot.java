package io.tidemark.broker.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Kafka's {@code .snapshot}: the producers of a log as they stood before the offset in the file's name. It holds the
 * last batch of each only; where more are wanted, see {@link ProducerStates}.
 *
 * <pre>
 * position  size  field
 *        0     2  version, 1
 *        2     4  CRC32C of everything from position 6 on
 *        6     4  count of entries, each of 46 bytes:
 *                   8  producer id
 *                   2  producer epoch
 *                   4  last sequence, -1 for none
 *                   8  last offset, -1 for none
 *                   4  offset delta: the count of records of the last batch less one
 *                   8  timestamp
 *                   4  coordinator epoch
 *                   8  first offset of the open transaction, -1 for none
 * </pre>
 *
 * <p>Crash policy: replaced as a whole, not forced. One with a wrong checksum is thrown away, and the state is made from
 * an older one or from the log.
 */
final class ProducerSnapshot {
    private static final short VERSION = 1;
    private static final int CRC_POSITION = 2;
    private static final int COUNT_POSITION = 6;
    private static final int ENTRIES_POSITION = 10;
    private static final int ENTRY_BYTES = 46;

    private ProducerSnapshot() {}

    static byte[] format(Collection<ProducerState> states) {
        ByteBuffer out = ByteBuffer.allocate(ENTRIES_POSITION + states.size() * ENTRY_BYTES);
        out.putShort(VERSION).putInt(0).putInt(states.size());
        for (ProducerState state : states) {
            ProducerState.Batch last = state.lastBatch();
            out.putLong(state.producerId());
            out.putShort(state.epoch());
            out.putInt(state.lastSequence());
            out.putLong(state.lastOffset());
            out.putInt(last == null ? 0 : last.offsetDelta());
            out.putLong(state.lastTimestamp());
            out.putInt(state.coordinatorEpoch());
            out.putLong(state.openTransactionOffset());
        }
        out.putInt(CRC_POSITION, crcOf(out.array()));
        return out.array();
    }

    /**
     * @throws IOException if these are not such bytes; the message says where and why
     */
    static List<ProducerState> parse(Path path, byte[] content) throws IOException {
        if (content.length < ENTRIES_POSITION) {
            throw new IOException(
                    "Snapshot " + path + " has " + content.length + " bytes; expected at least " + ENTRIES_POSITION);
        }
        ByteBuffer in = ByteBuffer.wrap(content);
        if (in.getShort(0) != VERSION) {
            throw new IOException("Snapshot " + path + " has version " + in.getShort(0) + "; expected " + VERSION);
        }
        if (in.getInt(CRC_POSITION) != crcOf(content)) {
            throw new IOException("Snapshot " + path + " has checksum " + Integer.toHexString(in.getInt(CRC_POSITION))
                    + "; its bytes have " + Integer.toHexString(crcOf(content)));
        }
        int count = in.getInt(COUNT_POSITION);
        if (count < 0 || (long) count * ENTRY_BYTES != content.length - ENTRIES_POSITION) {
            throw new IOException("Snapshot " + path + " claims " + count + " entries in " + content.length + " bytes");
        }
        in.position(ENTRIES_POSITION);
        List<ProducerState> states = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            states.add(parseEntry(in));
        }
        return states;
    }

    private static ProducerState parseEntry(ByteBuffer in) {
        long producerId = in.getLong();
        short epoch = in.getShort();
        int lastSequence = in.getInt();
        long lastOffset = in.getLong();
        int offsetDelta = in.getInt();
        long timestamp = in.getLong();
        int coordinatorEpoch = in.getInt();
        long openTransactionOffset = in.getLong();
        ProducerState.Batch last =
                lastOffset < 0 ? null : new ProducerState.Batch(lastSequence, lastOffset, offsetDelta, timestamp);
        return ProducerState.restored(producerId, epoch, last, timestamp, coordinatorEpoch, openTransactionOffset);
    }

    private static int crcOf(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content, COUNT_POSITION, content.length - COUNT_POSITION);
        return (int) crc.getValue();
    }
}
