package io.tidemark.protocol.generator.print;

/** Prints the package-info of a family. */
public final class PackagePrinter {
    private PackagePrinter() {}

    public static String path(String family) {
        return Names.packageOf(family).replace('.', '/') + "/package-info.java";
    }

    public static String print(String family) {
        return """
                /**
                 * Messages generated from Kafka's specs of the family "%s". Mutable values: each belongs to one thread
                 * at a time.
                 */
                @NullMarked
                package %s;

                import org.jspecify.annotations.NullMarked;
                """.formatted(family, Names.packageOf(family));
    }
}
