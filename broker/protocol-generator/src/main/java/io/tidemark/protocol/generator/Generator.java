package io.tidemark.protocol.generator;

import com.palantir.javapoet.JavaFile;
import io.tidemark.protocol.generator.model.ModelBuilder;
import io.tidemark.protocol.generator.parse.MessageSpec;
import io.tidemark.protocol.generator.parse.SpecParser;
import io.tidemark.protocol.generator.print.ApiKeyPrinter;
import io.tidemark.protocol.generator.print.MessagePrinter;
import io.tidemark.protocol.generator.print.PackagePrinter;
import io.tidemark.protocol.generator.print.RecordTypesPrinter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** From the text of spec files to the text of Java files; no files are touched here. */
public final class Generator {
    private final SpecParser parser = new SpecParser();
    private final List<MessageSpec> specs = new ArrayList<>();

    /** Takes in one spec file. */
    public void add(String family, String fileName, String text) {
        specs.add(parser.parse(family, fileName, text));
    }

    /** All Java files by their path, with forward slashes. */
    public SortedMap<String, String> generate() {
        SortedMap<String, String> files = new TreeMap<>();
        Map<String, List<MessageSpec>> families = new LinkedHashMap<>();
        for (MessageSpec spec : specs) {
            families.computeIfAbsent(spec.family(), family -> new ArrayList<>()).add(spec);
            if (!spec.validVersions().isEmpty()) {
                put(files, MessagePrinter.print(new ModelBuilder(spec).build()));
            }
        }
        families.forEach((family, members) -> {
            files.put(PackagePrinter.path(family), PackagePrinter.print(family));
            RecordTypesPrinter.print(family, members).forEach(file -> put(files, file));
        });
        if (specs.stream().anyMatch(spec -> spec.kind().equals("request"))) {
            put(files, ApiKeyPrinter.print(specs));
        }
        return files;
    }

    private static void put(Map<String, String> files, JavaFile file) {
        String path =
                file.packageName().replace('.', '/') + "/" + file.typeSpec().name() + ".java";
        if (files.put(path, file.toString()) != null) {
            throw new IllegalArgumentException("Two specs give the same file " + path + "; expected one");
        }
    }
}
