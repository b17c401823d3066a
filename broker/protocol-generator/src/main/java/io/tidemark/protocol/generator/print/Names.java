package io.tidemark.protocol.generator.print;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import io.tidemark.protocol.generator.model.FieldType;
import io.tidemark.protocol.generator.parse.MessageSpec;

/** The names of the hand-written runtime, and of what is generated. */
final class Names {
    static final String PROTOCOL = "io.tidemark.broker.protocol";
    static final ClassName API_MESSAGE = ClassName.get(PROTOCOL, "ApiMessage");
    static final ClassName READER = ClassName.get(PROTOCOL, "MessageReader");
    static final ClassName WRITER = ClassName.get(PROTOCOL, "MessageWriter");
    static final ClassName INVALID = ClassName.get(PROTOCOL, "InvalidMessageException");
    static final ClassName RECORDS = ClassName.get(PROTOCOL, "Records");
    static final ClassName LISTENER_TYPE = ClassName.get(PROTOCOL, "ListenerType");
    static final ClassName API_KEY = ClassName.get(PROTOCOL, "ApiKey");
    static final ClassName UUID = ClassName.get("io.tidemark.broker.types", "Uuid");
    static final ClassName LIST = ClassName.get("java.util", "List");
    static final ClassName ARRAY_LIST = ClassName.get("java.util", "ArrayList");
    static final ClassName ARRAYS = ClassName.get("java.util", "Arrays");
    static final ClassName OBJECTS = ClassName.get("java.util", "Objects");
    static final ClassName NULLABLE = ClassName.get("org.jspecify.annotations", "Nullable");
    static final ClassName NULL_MARKED = ClassName.get("org.jspecify.annotations", "NullMarked");
    static final AnnotationSpec OVERRIDE =
            AnnotationSpec.builder(Override.class).build();

    private Names() {}

    static String packageOf(String family) {
        return PROTOCOL + "." + family;
    }

    static ClassName messageClass(MessageSpec spec) {
        return ClassName.get(packageOf(spec.family()), spec.name());
    }

    /** The Java type of a value; structs are nested in the message's class. */
    static TypeName javaType(ClassName message, FieldType type) {
        if (type instanceof FieldType.Struct struct) {
            return message.nestedClass(struct.model().name());
        }
        if (type instanceof FieldType.Array array) {
            return ParameterizedTypeName.get(LIST, elementType(message, array.element()));
        }
        return switch ((FieldType.Simple) type) {
            case BOOL -> TypeName.BOOLEAN;
            case INT8 -> TypeName.BYTE;
            case INT16 -> TypeName.SHORT;
            case UINT16, INT32 -> TypeName.INT;
            case UINT32, INT64 -> TypeName.LONG;
            case FLOAT64 -> TypeName.DOUBLE;
            case UUID -> UUID;
            case STRING -> ClassName.get(String.class);
            case BYTES -> ArrayTypeName.of(TypeName.BYTE);
            case RECORDS -> RECORDS;
        };
    }

    /** The type as one whose values may be null. */
    static TypeName nullable(TypeName type) {
        if (type.isPrimitive()) {
            throw new IllegalArgumentException("A field of type " + type + " is nullable; a primitive cannot be");
        }
        return type.annotated(AnnotationSpec.builder(NULLABLE).build());
    }

    static TypeName elementType(ClassName message, FieldType element) {
        TypeName type = javaType(message, element);
        return type.isPrimitive() ? type.box() : type;
    }
}
