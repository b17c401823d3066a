package io.tidemark.broker.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What a failed run tells.
 *
 * @param seed what replays it
 * @param options what the seed drew
 * @param world where it happened
 * @param cause the rule that was broken, or what went wrong in the simulation itself
 */
record FailureReport(long seed, Options options, World world, Throwable cause) {
    private static final int LINES = 60;

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("Seed ").append(seed).append(" fails after ").append(world.nowUs() / World.MS);
        text.append(" virtual ms and ")
                .append(world.eventCount())
                .append(" events:\n  ")
                .append(cause.getMessage());
        text.append("\nOptions: ").append(options);
        text.append("\nThe last that happened:\n");
        world.trace()
                .lines(LINES)
                .forEach(line -> text.append("  ").append(line).append('\n'));
        if (!(cause instanceof Violation) || cause.getCause() != null) {
            StringWriter stack = new StringWriter();
            cause.printStackTrace(new PrintWriter(stack));
            text.append(stack);
        }
        text.append("Replay it: mvn -q -Psimulate -pl broker -am -Dtidemark.simulation.seed=")
                .append(seed);
        return text.toString();
    }
}
