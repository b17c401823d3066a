package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every public type that a user of the fixture may meet shows how it is used. */
class ApiExamplesTest {
    private static final List<String> MODULES = List.of("fixture-core", "fixture-junit5", "chaos");
    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^public (?:final |abstract |sealed |non-sealed )*(?:class|interface|record|enum|@interface) (\\w+)",
            Pattern.MULTILINE);
    private static final String EXAMPLE = "<pre>{@code";

    @Test
    void everyPublicTypeHasAnExampleInItsJavadoc() throws IOException {
        List<String> without = new ArrayList<>();
        int types = 0;
        for (Path source : sources()) {
            Matcher type = PUBLIC_TYPE.matcher(Files.readString(source));
            if (type.find()) {
                types++;
                if (!hasExample(Files.readString(source).substring(0, type.start()))) {
                    without.add(type.group(1));
                }
            }
        }

        assertThat(types).as("public types that were found").isGreaterThan(60);
        assertThat(without)
                .as("public types whose Javadoc shows no example; add one between <pre>{@code and }</pre>")
                .isEmpty();
    }

    @Test
    void onlyAnExampleOfTheTypeItselfCounts() {
        assertThat(hasExample("/**\n * A type.\n *\n * <pre>{@code\n * use();\n * }</pre>\n */\n@Documented\n"))
                .isTrue();
        assertThat(hasExample("/** A type. */\n")).isFalse();
        assertThat(hasExample("import java.util.List;\n\n")).isFalse();
    }

    private static boolean hasExample(String beforeTheType) {
        int doc = beforeTheType.lastIndexOf("/**");
        return doc >= 0 && beforeTheType.substring(doc).contains(EXAMPLE);
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }
}
