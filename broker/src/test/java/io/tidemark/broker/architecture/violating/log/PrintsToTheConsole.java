package io.tidemark.broker.architecture.violating.log;

/** Talks to the console of a process that is not its own. */
public class PrintsToTheConsole {
    void report(String line) {
        System.out.println(line);
    }
}
