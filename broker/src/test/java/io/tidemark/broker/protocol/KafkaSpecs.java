package io.tidemark.broker.protocol;

import io.tidemark.protocol.generator.model.MessageModel;
import io.tidemark.protocol.generator.model.ModelBuilder;
import io.tidemark.protocol.generator.parse.MessageSpec;
import io.tidemark.protocol.generator.parse.SpecParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Every message of Kafka that has versions, from the specs in the jars on the class path, with Kafka's class for it. */
final class KafkaSpecs {
    /** A class of each jar that holds specs, by the family that its messages are generated into. */
    private static final List<Map.Entry<String, String>> JARS = List.of(
            Map.entry("message", "org.apache.kafka.common.message.FetchRequestData"),
            Map.entry("metadata", "org.apache.kafka.common.metadata.TopicRecord"),
            Map.entry("group", "org.apache.kafka.coordinator.group.generated.OffsetCommitKey"),
            Map.entry("transaction", "org.apache.kafka.coordinator.transaction.generated.TransactionLogKey"),
            Map.entry("raft", "org.apache.kafka.raft.generated.QuorumStateData"),
            Map.entry("storage", "org.apache.kafka.storage.internals.log.UnifiedLog"),
            Map.entry("share", "org.apache.kafka.coordinator.share.generated.ShareSnapshotKey"));

    private KafkaSpecs() {}

    /** A message: what its spec says, and Kafka's class and ours for it. */
    record Subject(MessageModel model, Class<?> kafkaClass, Class<? extends ApiMessage> ourClass) {
        @Override
        public String toString() {
            return model.spec().family() + "/" + model.spec().name();
        }

        int lowestVersion() {
            return model.spec().validVersions().lowest();
        }

        int highestVersion() {
            return model.spec().validVersions().highest();
        }
    }

    static List<Subject> all() {
        List<Subject> subjects = new ArrayList<>();
        SpecParser parser = new SpecParser();
        for (Map.Entry<String, String> jar : JARS) {
            addJar(subjects, parser, jar.getKey(), jar.getValue());
        }
        return subjects;
    }

    private static void addJar(List<Subject> subjects, SpecParser parser, String family, String anchor) {
        List<MessageSpec> specs = new ArrayList<>();
        Map<String, String> classes = new HashMap<>();
        String path =
                load(anchor).getProtectionDomain().getCodeSource().getLocation().getPath();
        try (JarFile jar = new JarFile(path)) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                String name = entry.getName();
                String simple = name.substring(name.lastIndexOf('/') + 1);
                if (name.endsWith(".json")) {
                    byte[] bytes = jar.getInputStream(entry).readAllBytes();
                    specs.add(parser.parse(family, simple, new String(bytes, StandardCharsets.UTF_8)));
                } else if (name.endsWith(".class") && isMessagePackage(name)) {
                    String className = name.substring(0, name.length() - ".class".length());
                    classes.put(simple.substring(0, simple.length() - ".class".length()), className.replace('/', '.'));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (MessageSpec spec : specs) {
            if (!spec.validVersions().isEmpty()) {
                subjects.add(subject(spec, classes));
            }
        }
    }

    private static boolean isMessagePackage(String path) {
        return path.contains("/generated/")
                || path.startsWith("org/apache/kafka/common/message/")
                || path.startsWith("org/apache/kafka/common/metadata/");
    }

    private static Subject subject(MessageSpec spec, Map<String, String> classes) {
        String suffix =
                switch (spec.kind()) {
                    case "request", "response", "header" -> "Data";
                    default -> "";
                };
        String kafkaName = classes.get(spec.name() + suffix);
        if (kafkaName == null) {
            throw new IllegalStateException("Kafka has no class for spec " + spec.family() + "/" + spec.name());
        }
        Class<?> ours = load("io.tidemark.broker.protocol." + spec.family() + "." + spec.name());
        return new Subject(new ModelBuilder(spec).build(), load(kafkaName), ours.asSubclass(ApiMessage.class));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("Class " + name + " is not on the class path", e);
        }
    }
}
