package io.tidemark.protocol.generator.model;

import io.tidemark.protocol.generator.parse.MessageSpec;
import java.util.List;

/**
 * A message, which becomes a class with nested classes.
 *
 * @param spec what it was built from
 * @param root its own fields
 * @param structs all other structs, in the order in which they first occur
 */
public record MessageModel(MessageSpec spec, StructModel root, List<StructModel> structs) {
    public MessageModel {
        structs = List.copyOf(structs);
    }
}
