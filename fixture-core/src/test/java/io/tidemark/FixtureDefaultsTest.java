package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FixtureDefaultsTest {
    private static final Path README = Path.of("..", "README.md");
    private static final Pattern NAME_IN_FIRST_COLUMN = Pattern.compile("`([a-z.]+)`");

    @Test
    void everyOneIsAConfigOfKafka() {
        FixtureDefaults.forBrokers(3).forEach(ConfigCheck::broker);
    }

    @Test
    void replicationFactorsFitTheCluster() {
        assertThat(FixtureDefaults.forBrokers(1)).containsEntry("offsets.topic.replication.factor", "1");
        assertThat(FixtureDefaults.forBrokers(5)).containsEntry("offsets.topic.replication.factor", "3");
    }

    @Test
    void theReadmeListsThemAll() throws Exception {
        Set<String> listed = new TreeSet<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(README)) {
            if (line.startsWith("| property | here |")) {
                inTable = true;
            } else if (inTable && !line.startsWith("|")) {
                break;
            } else if (inTable) {
                Matcher names = NAME_IN_FIRST_COLUMN.matcher(line.split("\\|", -1)[1]);
                while (names.find()) {
                    listed.add(names.group(1));
                }
            }
        }

        assertThat(listed).isEqualTo(FixtureDefaults.forBrokers(3).keySet());
    }
}
