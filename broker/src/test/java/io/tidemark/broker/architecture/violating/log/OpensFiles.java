package io.tidemark.broker.architecture.violating.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file behind the disk door's back. */
public class OpensFiles {
    byte[] read(Path file) throws IOException {
        return Files.readAllBytes(file);
    }
}
