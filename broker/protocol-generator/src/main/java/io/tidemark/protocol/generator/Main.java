package io.tidemark.protocol.generator;

import java.io.IOException;
import java.nio.file.Path;

/** {@code Main <folder of specs> <folder for Java>}: generates, unless the output is already that of the input. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("Got " + args.length
                    + " arguments; expected two: the folder of specs, with one folder per family, and the folder for"
                    + " generated Java");
        }
        SourceFolder.generate(Path.of(args[0]), Path.of(args[1]));
    }
}
