package io.tidemark.broker.group;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The choice of a group's protocol: each member votes for the one it likes best of those that all support. */
final class ProtocolVote {
    private ProtocolVote() {}

    static boolean allSupport(Collection<Member> members, String protocolName) {
        return members.stream().allMatch(member -> member.supports(protocolName));
    }

    /**
     * The protocol with the most votes; the eldest member's order breaks a tie.
     *
     * @throws IllegalStateException if there is none that all members support
     */
    static String winner(Collection<Member> members) {
        Map<String, Integer> votes = new LinkedHashMap<>();
        List<String> candidates = candidates(members);
        candidates.forEach(candidate -> votes.put(candidate, 0));
        for (Member member : members) {
            member.protocols().stream()
                    .map(MemberProtocol::name)
                    .filter(candidates::contains)
                    .findFirst()
                    .ifPresent(favourite -> votes.merge(favourite, 1, Integer::sum));
        }
        String winner = null;
        int most = -1;
        for (Map.Entry<String, Integer> vote : votes.entrySet()) {
            if (vote.getValue() > most) {
                winner = vote.getKey();
                most = vote.getValue();
            }
        }
        if (winner == null) {
            throw new IllegalStateException("No protocol is supported by all of the members " + members + ": "
                    + members.stream().map(Member::protocols).toList());
        }
        return winner;
    }

    private static List<String> candidates(Collection<Member> members) {
        List<String> candidates = new ArrayList<>();
        for (MemberProtocol protocol : members.iterator().next().protocols()) {
            if (allSupport(members, protocol.name())) {
                candidates.add(protocol.name());
            }
        }
        return candidates;
    }
}
