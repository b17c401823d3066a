package io.tidemark.chaos.schedule;

import io.tidemark.chaos.schedule.Schedule.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@link Schedule#toString()} writes. */
final class ScheduleText {
    private static final Pattern STEP =
            Pattern.compile("(?:at (\\d{1,18}) ms|when ([\\w-]+))( maybe)? (\\w+)((?: \\S+)*)");

    private ScheduleText() {}

    static Schedule parse(String text) {
        List<Step> steps = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().map(String::strip).toList()) {
            number++;
            if (!line.isEmpty() && !line.startsWith("#")) {
                steps.add(step(line, number));
            }
        }
        return Schedule.of(steps);
    }

    private static Step step(String line, int number) {
        Matcher step = STEP.matcher(line);
        if (!step.matches()) {
            throw new IllegalArgumentException("Line " + number + " is no step of a schedule: [" + line
                    + "]; expected for example [at 200 ms kill 2] or [when half-is-out maybe cut 1 2]");
        }
        List<String> arguments = step.group(5).isEmpty()
                ? List.of()
                : List.of(step.group(5).substring(1).split(" ", -1));
        try {
            return new Step(
                    step.group(1) == null ? -1 : Long.parseLong(step.group(1)),
                    step.group(2) == null ? "" : step.group(2),
                    step.group(3) != null,
                    Deed.ofVerb(step.group(4)),
                    arguments);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Line " + number + " [" + line + "]: " + e.getMessage(), e);
        }
    }
}
