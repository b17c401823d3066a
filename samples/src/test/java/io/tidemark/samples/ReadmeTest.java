package io.tidemark.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every Java snippet of the README is a piece of a test, word for word. */
class ReadmeTest {
    private static final Path ROOT = Path.of("..");
    private static final Path FEATURES = Path.of("src/test/java/io/tidemark/samples/ReadmeFeaturesIT.java");
    private static final String START = "// readme: ";
    private static final String END = "// readme: end";

    @Test
    void everySnippetIsAPieceOfATest() throws IOException {
        Map<String, String> pieces = pieces(Files.readAllLines(FEATURES));
        List<String> snippets = snippets(Files.readAllLines(ROOT.resolve("README.md")));

        assertThat(snippets).isNotEmpty();
        assertThat(snippets)
                .as("the Java snippets of README.md; copy the pieces of %s there", FEATURES)
                .containsExactlyInAnyOrderElementsOf(pieces.values());
    }

    @Test
    void piecesAreCutAndMovedLeft() {
        assertThat(pieces(List.of("  // readme: a", "    one", "", "      two", "  // readme: end", "three")))
                .containsExactly(Map.entry("a", "one\n\n  two\n"));
    }

    private static Map<String, String> pieces(List<String> source) {
        Map<String, String> pieces = new LinkedHashMap<>();
        List<String> piece = new ArrayList<>();
        String name = "";
        for (String line : source) {
            if (line.strip().equals(END)) {
                pieces.put(name, movedLeft(piece));
                name = "";
            } else if (line.strip().startsWith(START)) {
                name = line.strip().substring(START.length());
                piece.clear();
            } else if (!name.isEmpty()) {
                piece.add(line);
            }
        }
        return pieces;
    }

    private static String movedLeft(List<String> lines) {
        return String.join("\n", lines).stripIndent() + "\n";
    }

    private static List<String> snippets(List<String> readme) {
        List<String> snippets = new ArrayList<>();
        StringBuilder snippet = new StringBuilder();
        boolean isInside = false;
        for (String line : readme) {
            if (line.equals("```java")) {
                isInside = true;
                snippet.setLength(0);
            } else if (isInside && line.equals("```")) {
                snippets.add(snippet.toString());
                isInside = false;
            } else if (isInside) {
                snippet.append(line).append('\n');
            }
        }
        return snippets;
    }
}
