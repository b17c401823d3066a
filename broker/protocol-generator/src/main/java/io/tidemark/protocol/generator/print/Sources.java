package io.tidemark.protocol.generator.print;

import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.TypeSpec;

/** What all generated files have in common. */
final class Sources {
    private Sources() {}

    static JavaFile file(String packageName, TypeSpec type) {
        return JavaFile.builder(packageName, type)
                .addFileComment("Generated from Kafka's message specs; not to be edited.")
                .skipJavaLangImports(true)
                .indent("    ")
                .build();
    }
}
