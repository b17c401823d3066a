package io.tidemark.chaos.schedule;

import io.tidemark.chaos.Chaos;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a step of a schedule does, in the words of {@link Chaos}.
 *
 * <pre>{@code
 * Schedule.random(42, 1, 2, 3).with(Deed.KILL, Deed.PAUSE).build();
 * }</pre>
 */
public enum Deed {
    KILL("kill", 1, false) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.kill(nodes.get(0));
        }
    },
    STOP("stop", 1, false) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.stop(nodes.get(0));
        }
    },
    RESTART("restart", 1, false) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.restart(nodes.get(0));
        }
    },
    PAUSE("pause", 1, false) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.pause(nodes.get(0));
        }
    },
    RESUME("resume", 1, false) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.resume(nodes.get(0));
        }
    },
    LOSE_POWER("losePower", 1, false) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.losePower(nodes.get(0));
        }
    },
    ISOLATE("isolate", 1, true) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.isolate(nodes.get(0));
        }
    },
    STALL_REPLICATION("stallReplication", 1, true) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.stallReplication(nodes.get(0));
        }
    },
    CUT("cut", 2, true) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.cut(nodes.get(0), nodes.get(1));
        }
    },
    CUT_ONE_WAY("cutOneWay", 2, true) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.cutOneWay(nodes.get(0), nodes.get(1));
        }
    },
    HEAL_LINKS("healLinks", 0, false) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.healLinks();
        }
    },
    /** Heals everything, and waits until every replica is in sync. */
    HEAL("heal", 0, false) {
        @Override
        void doTo(Chaos chaos, List<Integer> nodes) {
            chaos.heal();
        }
    };

    private final String verb;
    private final int nodes;
    private final boolean waits;

    Deed(String verb, int nodes, boolean waits) {
        this.verb = verb;
        this.nodes = nodes;
        this.waits = waits;
    }

    abstract void doTo(Chaos chaos, List<Integer> nodes);

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
