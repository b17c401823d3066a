package io.tidemark.beside.bench;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * One cluster's life, in milliseconds.
 *
 * @param readyMs from nothing to three brokers that can serve
 * @param firstRecordMs from there to a record produced with acks=all to a new topic of three replicas, and consumed
 * @param closeMs from there, the clients closed, until nothing is left
 */
record Round(double readyMs, double firstRecordMs, double closeMs) {
    /** How a forked JVM prints a round, so that it is told apart from whatever else is printed. */
    private static final String PREFIX = "round:";

    static boolean isLine(String line) {
        return line.startsWith(PREFIX);
    }

    static Round ofLine(String line) {
        double[] ms = Arrays.stream(line.substring(PREFIX.length()).split(","))
                .mapToDouble(Double::parseDouble)
                .toArray();
        return new Round(ms[0], ms[1], ms[2]);
    }

    String toLine() {
        return PREFIX
                + Arrays.stream(new double[] {readyMs, firstRecordMs, closeMs})
                        .mapToObj(Double::toString)
                        .collect(Collectors.joining(","));
    }
}
