package io.tidemark.broker.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/**
 * The code that the rules are held against: the broker itself, or the classes that break the rules on purpose and are
 * laid out under their own root as the broker's are.
 *
 * @param root the package that the names of the layer table are relative to
 * @param classes all classes below it
 */
record House(String root, JavaClasses classes) {
    private static final String BROKER = "io.tidemark.broker";

    static House broker() {
        return Broker.HOUSE;
    }

    static House violating() {
        return Violating.HOUSE;
    }

    boolean holds(JavaClass javaClass) {
        return javaClass.getPackageName().equals(root)
                || javaClass.getPackageName().startsWith(root + ".");
    }

    /** The package of a class relative to the root; empty for the root itself. */
    String packageOf(JavaClass javaClass) {
        String name = javaClass.getPackageName();
        return name.length() == root.length() ? "" : name.substring(root.length() + 1);
    }

    /** Imported once for all tests: the import reads every class file. */
    private static final class Broker {
        static final House HOUSE = new House(
                BROKER,
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages(BROKER));
    }

    private static final class Violating {
        private static final String ROOT = BROKER + ".architecture.violating";
        static final House HOUSE = new House(ROOT, new ClassFileImporter().importPackages(ROOT));
    }
}
