package io.tidemark.broker.protocol;

import io.tidemark.protocol.generator.model.FieldModel;
import io.tidemark.protocol.generator.model.FieldType;
import io.tidemark.protocol.generator.model.StructModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random contents for a message, as plain maps and lists that both codecs' classes can be filled from: a struct is a map
 * from field to value, an array a list, ids, bytes and records are byte arrays.
 */
final class RandomValues {
    private static final String[] TEXTS = {"", "orders", "group-1", "naïve", "订单", "\uD83D\uDE00", "x".repeat(200)};
    private static final int[] LENGTHS = {0, 1, 2, 3, 5, 130};

    private final Random random;
    private final int version;
    private final boolean fillIgnorable;

    /**
     * Values for one version.
     *
     * @param fillIgnorable whether fields that the version drops in silence have values
     */
    RandomValues(Random random, int version, boolean fillIgnorable) {
        this.random = random;
        this.version = version;
        this.fillIgnorable = fillIgnorable;
    }

    Map<String, Object> struct(StructModel struct) {
        return struct(struct, 0);
    }

    private Map<String, Object> struct(StructModel struct, int depth) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (FieldModel field : struct.fields()) {
            boolean present = field.versions().contains(version);
            if (!present && !(fillIgnorable && field.ignorable())) {
                continue;
            }
            boolean tagged = field.taggedVersions().contains(version);
            if (random.nextInt(10) < (tagged ? 4 : 1)) {
                // The default, which for a tagged field means that it is left out.
                if (!nullDefaultIsForbidden(field, present)) {
                    continue;
                }
            }
            if (field.nullableVersions().contains(version) && random.nextInt(4) == 0) {
                values.put(field.javaName(), null);
            } else {
                values.put(field.javaName(), value(field.type(), depth));
            }
        }
        return values;
    }

    /** Null may be the default of a field that in this version cannot be null. */
    private boolean nullDefaultIsForbidden(FieldModel field, boolean present) {
        return present && field.isNullByDefault() && !field.nullableVersions().contains(version);
    }

    private Object value(FieldType type, int depth) {
        if (type instanceof FieldType.Struct struct) {
            return struct(struct.model(), depth + 1);
        }
        if (type instanceof FieldType.Array array) {
            int most = array.element() instanceof FieldType.Struct ? Math.max(1, 3 - depth) : 5;
            List<Object> list = new ArrayList<>();
            int count = random.nextInt(50) == 0 && depth == 0 ? 130 : random.nextInt(most + 1);
            for (int i = 0; i < count; i++) {
                list.add(value(array.element(), depth + 1));
            }
            return list;
        }
        return switch ((FieldType.Simple) type) {
            case BOOL -> random.nextBoolean();
            case INT8 -> (byte) random.nextInt();
            case INT16 -> (short) random.nextInt();
            case UINT16 -> random.nextInt(0x10000);
            case INT32 -> random.nextInt();
            case UINT32 -> random.nextLong(0x1_0000_0000L);
            case INT64 -> random.nextLong();
            case FLOAT64 -> random.nextDouble();
            case UUID -> bytes(16);
            case STRING -> TEXTS[random.nextInt(TEXTS.length)];
            case BYTES, RECORDS -> bytes(LENGTHS[random.nextInt(LENGTHS.length)]);
        };
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
