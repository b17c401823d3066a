package io.tidemark.beside.logbench;

/**
 * One round.
 *
 * @param name what was measured
 * @param unit of the value
 * @param value less is better
 */
record Result(String name, String unit, double value) {
    /** How a forked JVM prints a result, so that it is told apart from whatever else is printed. */
    private static final String PREFIX = "result:";

    private static final String SEPARATOR = ";";

    static boolean isLine(String line) {
        return line.startsWith(PREFIX);
    }

    static Result ofLine(String line) {
        String[] fields = line.substring(PREFIX.length()).split(SEPARATOR);
        return new Result(fields[0], fields[1], Double.parseDouble(fields[2]));
    }

    String toLine() {
        return PREFIX + String.join(SEPARATOR, name, unit, Double.toString(value));
    }
}
