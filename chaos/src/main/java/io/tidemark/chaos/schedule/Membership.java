package io.tidemark.chaos.schedule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Has the node that comes be there before it goes, and go before it comes again. Belongs to one thread. */
final class Membership {
    /** The deed that takes each away that is there, by the one that brought it. */
    private final Map<Deed, Deed> there = new LinkedHashMap<>();

    /** What to do for a deed that was drawn, in order: it alone, or after what has to come before it. */
    List<Deed> deedsFor(Deed deed) {
        return switch (deed) {
            case ADD_BROKER -> come(deed, Deed.REMOVE_BROKER);
            case ADD_CONTROLLER -> come(deed, Deed.REMOVE_CONTROLLER);
            case REMOVE_BROKER -> go(Deed.ADD_BROKER, deed);
            case REMOVE_CONTROLLER -> go(Deed.ADD_CONTROLLER, deed);
            default -> List.of(deed);
        };
    }

    private List<Deed> come(Deed coming, Deed going) {
        return there.put(coming, going) == null ? List.of(coming) : List.of(going, coming);
    }

    private List<Deed> go(Deed coming, Deed going) {
        return there.remove(coming) == null ? List.of(coming, going) : List.of(going);
    }

    /** What takes away those that are there still. */
    List<Deed> deedsAtTheEnd() {
        return List.copyOf(there.values());
    }
}
