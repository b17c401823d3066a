package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same requests of transactions, in every version, right and wrong, get the same answers of ours and of Kafka's. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransactionsBesideKafkaIT {
    @Test
    void oursAnswersWhatKafkaAnswers(@TempDir Path ofOurs, @TempDir Path ofKafka) throws Exception {
        List<String> byKafka;
        try (DataFolder folder = new DataFolder(ofKafka)) {
            folder.formatByKafka();
            try (ServerProcess kafka = folder.serveByKafka()) {
                byKafka = answers(folder.bootstrapServers());
                kafka.stop();
            }
        }
        List<String> byOurs;
        try (DataFolder folder = new DataFolder(ofOurs)) {
            folder.formatByKafka();
            try (ServerProcess ours = folder.serveByOurs()) {
                byOurs = answers(folder.bootstrapServers());
                ours.stop();
            }
        }

        assertThat(byKafka).as("questions").hasSizeGreaterThan(400);
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < Math.max(byOurs.size(), byKafka.size()); i++) {
            String ours = i < byOurs.size() ? byOurs.get(i) : "nothing";
            String kafka = i < byKafka.size() ? byKafka.get(i) : "nothing";
            if (!ours.equals(kafka)) {
                differences.add("\nKafka: " + kafka + "\nours:  " + ours);
            }
        }
        assertThat(differences).isEmpty();
    }

    private static List<String> answers(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            admin.createTopics(List.of(
                            new NewTopic(TransactionScript.TOPIC, 1, (short) 1).configs(Map.of("retention.ms", "-1")),
                            new NewTopic(TransactionScript.OTHER, 1, (short) 1).configs(Map.of("retention.ms", "-1"))))
                    .all()
                    .get(60, TimeUnit.SECONDS);
        }
        try (RawConnection connection = new RawConnection(bootstrapServers)) {
            return new TransactionScript(connection).run();
        }
    }
}
