package io.tidemark.chaos.schedule;

import io.tidemark.chaos.Chaos;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * What a step of a schedule does, in the words of {@link Chaos}.
 *
 * <pre>{@code
 * Schedule.random(42, 1, 2, 3).with(Deed.KILL, Deed.PAUSE).build();
 * }</pre>
 */
public enum Deed {
    KILL("kill", 1, false, (chaos, nodes) -> chaos.kill(nodes.get(0))),
    STOP("stop", 1, false, (chaos, nodes) -> chaos.stop(nodes.get(0))),
    RESTART("restart", 1, false, (chaos, nodes) -> chaos.restart(nodes.get(0))),
    PAUSE("pause", 1, false, (chaos, nodes) -> chaos.pause(nodes.get(0))),
    RESUME("resume", 1, false, (chaos, nodes) -> chaos.resume(nodes.get(0))),
    LOSE_POWER("losePower", 1, false, (chaos, nodes) -> chaos.losePower(nodes.get(0))),
    ISOLATE("isolate", 1, true, (chaos, nodes) -> chaos.isolate(nodes.get(0))),
    STALL_REPLICATION("stallReplication", 1, true, (chaos, nodes) -> chaos.stallReplication(nodes.get(0))),
    CUT("cut", 2, true, (chaos, nodes) -> chaos.cut(nodes.get(0), nodes.get(1))),
    CUT_ONE_WAY("cutOneWay", 2, true, (chaos, nodes) -> chaos.cutOneWay(nodes.get(0), nodes.get(1))),
    HEAL_LINKS("healLinks", 0, false, (chaos, nodes) -> chaos.healLinks()),
    /** Heals everything, and waits until every replica is in sync. */
    HEAL("heal", 0, false, (chaos, nodes) -> chaos.heal());

    private final String verb;
    private final int nodes;
    private final boolean waits;

    @SuppressWarnings("ImmutableEnumChecker") // what is done captures nothing
    private final BiConsumer<Chaos, List<Integer>> action;

    Deed(String verb, int nodes, boolean waits, BiConsumer<Chaos, List<Integer>> action) {
        this.verb = verb;
        this.nodes = nodes;
        this.waits = waits;
        this.action = action;
    }

    void doTo(Chaos chaos, List<Integer> on) {
        action.accept(chaos, on);
    }

    /** The name in a schedule's text, for example {@code losePower}. */
    public String verb() {
        return verb;
    }

    /** How many nodes it is done to. */
    public int nodes() {
        return nodes;
    }

    /** True where it waits for something to strike, and may find nothing. */
    public boolean waits() {
        return waits;
    }

    static Deed ofVerb(String verb) {
        return Arrays.stream(values())
                .filter(deed -> deed.verb.equals(verb))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No deed is called [" + verb + "]; there are "
                        + Arrays.stream(values()).map(Deed::verb).collect(Collectors.joining(", "))));
    }
}
