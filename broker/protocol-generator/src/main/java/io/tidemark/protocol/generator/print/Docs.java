package io.tidemark.protocol.generator.print;

import io.tidemark.protocol.generator.model.FieldModel;

/** Javadoc from what the specs say about themselves. */
final class Docs {
    private Docs() {}

    static String of(FieldModel field) {
        String facts = field.versions().isEmpty() ? "In no version." : "Versions " + field.versions() + ".";
        if (!field.nullableVersions().isEmpty()) {
            facts += " Null allowed in " + field.nullableVersions() + ".";
        }
        if (!field.defaultText().isEmpty()) {
            facts += " Default " + escape(field.defaultText()) + ".";
        }
        return field.about().isEmpty() ? facts + "\n" : escape(field.about()) + "\n\n<p>" + facts + "\n";
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("@", "&#64;")
                .replace("*/", "*&#47;")
                .replace("\\", "&#92;");
    }
}
