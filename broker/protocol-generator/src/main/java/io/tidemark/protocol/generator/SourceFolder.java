package io.tidemark.protocol.generator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Keeps a folder of generated Java in step with a folder of specs.
 *
 * <p>A stamp holds the digest of the specs and of this program; where it matches, nothing is done. Files that would not
 * change are left alone with their time stamps, so that compilers see only what is new.
 */
final class SourceFolder {
    private static final String STAMP = ".generated-from";

    private SourceFolder() {}

    static void generate(Path specs, Path target) throws IOException {
        List<Path> files = filesUnder(specs, ".json");
        if (files.isEmpty()) {
            throw new IOException("No spec (*.json) lies under " + specs + "; unpack Kafka's specs there first");
        }
        String digest = digest(files);
        Path stamp = target.resolve(STAMP);
        if (Files.exists(stamp) && Files.readString(stamp).equals(digest)) {
            return;
        }
        Generator generator = new Generator();
        for (Path file : files) {
            String family = specs.relativize(file).getName(0).toString();
            generator.add(family, file.getFileName().toString(), Files.readString(file));
        }
        write(target, generator.generate());
        Files.writeString(stamp, digest);
    }

    private static void write(Path target, Map<String, String> sources) throws IOException {
        Set<Path> wanted = new HashSet<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = target.resolve(source.getKey());
            wanted.add(file);
            if (!Files.exists(file) || !Files.readString(file).equals(source.getValue())) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, source.getValue());
            }
        }
        for (Path file : filesUnder(target, ".java")) {
            if (!wanted.contains(file)) {
                Files.delete(file);
            }
        }
    }

    private static List<Path> filesUnder(Path folder, String suffix) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static String digest(List<Path> specs) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
        for (Path spec : specs) {
            digest.update(spec.toString().getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(spec));
        }
        addProgram(digest);
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Adds this program's own code, so that a changed generator generates anew. */
    private static void addProgram(MessageDigest digest) throws IOException {
        Path code;
        try {
            code = Path.of(SourceFolder.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IOException("The generator's own code cannot be found", e);
        }
        if (Files.isDirectory(code)) {
            for (Path file : filesUnder(code, ".class")) {
                digest.update(Files.readAllBytes(file));
            }
        } else {
            try (InputStream in = Files.newInputStream(code)) {
                digest.update(in.readAllBytes());
            }
        }
    }
}
