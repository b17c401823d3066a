package io.tidemark.broker.disk;

/**
 * What this process runs on, as far as page cache control depends on it.
 *
 * @param system the operating system, as {@code os.name} has it
 * @param architecture the processor, as {@code os.arch} has it
 * @param java the version of Java
 */
record Platform(String system, String architecture, String java) {
    static Platform ofThisProcess() {
        return new Platform(
                System.getProperty("os.name", "an unknown system"),
                System.getProperty("os.arch", "an unknown processor"),
                System.getProperty("java.version", "of an unknown version"));
    }

    /** The systems whose calls, types and constants {@link LinuxCalls} knows. */
    boolean isLinuxOf64Bits() {
        return system.equals("Linux") && architecture.contains("64");
    }

    @Override
    public String toString() {
        return system + "/" + architecture + ", Java " + java;
    }
}
