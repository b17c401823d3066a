package io.tidemark.broker.group;

import io.tidemark.broker.coordinator.Answer.Ticket;
import io.tidemark.broker.protocol.message.JoinGroupResponse;
import io.tidemark.broker.protocol.message.SyncGroupResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One member of a classic group. */
final class Member {
    static final byte[] NO_BYTES = new byte[0];

    private final String id;
    private final @Nullable String instanceId;
    private final String protocolType;
    private String clientId;
    private String clientHost;
    private int rebalanceTimeoutMs;
    private int sessionTimeoutMs;
    private List<MemberProtocol> protocols;
    private byte[] assignment = NO_BYTES;
    private boolean isNew;
    private @Nullable Ticket<JoinGroupResponse> joinTicket;
    private @Nullable Ticket<SyncGroupResponse> syncTicket;

    Member(String id, @Nullable String instanceId, String protocolType, JoinTerms terms) {
        this.id = id;
        this.instanceId = instanceId;
        this.protocolType = protocolType;
        this.clientId = terms.clientId();
        this.clientHost = terms.clientHost();
        this.rebalanceTimeoutMs = terms.rebalanceTimeoutMs();
        this.sessionTimeoutMs = terms.sessionTimeoutMs();
        this.protocols = terms.protocols();
    }

    /** What a member says of itself each time it joins. */
    record JoinTerms(
            String clientId,
            String clientHost,
            int rebalanceTimeoutMs,
            int sessionTimeoutMs,
            List<MemberProtocol> protocols) {
        JoinTerms {
            protocols = List.copyOf(protocols);
        }
    }

    void update(JoinTerms terms) {
        clientId = terms.clientId();
        clientHost = terms.clientHost();
        rebalanceTimeoutMs = terms.rebalanceTimeoutMs();
        sessionTimeoutMs = terms.sessionTimeoutMs();
        protocols = terms.protocols();
    }

    /** The same static member after a restart, under its new id; its waits stay with the old one. */
    Member renamed(String newId) {
        Member member = new Member(
                newId,
                instanceId,
                protocolType,
                new JoinTerms(clientId, clientHost, rebalanceTimeoutMs, sessionTimeoutMs, protocols));
        member.assignment = assignment;
        return member;
    }

    String id() {
        return id;
    }

    @Nullable
    String instanceId() {
        return instanceId;
    }

    boolean isStatic() {
        return instanceId != null;
    }

    String protocolType() {
        return protocolType;
    }

    String clientId() {
        return clientId;
    }

    String clientHost() {
        return clientHost;
    }

    int rebalanceTimeoutMs() {
        return rebalanceTimeoutMs;
    }

    int sessionTimeoutMs() {
        return sessionTimeoutMs;
    }

    List<MemberProtocol> protocols() {
        return protocols;
    }

    boolean supports(String protocolName) {
        return protocols.stream().anyMatch(protocol -> protocol.name().equals(protocolName));
    }

    /** The metadata for a protocol; no bytes where the member does not know it. */
    byte[] metadata(@Nullable String protocolName) {
        for (MemberProtocol protocol : protocols) {
            if (protocol.name().equals(protocolName)) {
                return protocol.metadata();
            }
        }
        return NO_BYTES;
    }

    byte[] assignment() {
        return assignment;
    }

    void assign(byte[] newAssignment) {
        assignment = newAssignment;
    }

    /** True until the member's first JoinGroup is answered. */
    boolean isNew() {
        return isNew;
    }

    void markNew(boolean nowNew) {
        isNew = nowNew;
    }

    boolean isAwaitingJoin() {
        return joinTicket != null;
    }

    boolean isAwaitingSync() {
        return syncTicket != null;
    }

    void awaitJoin(Ticket<JoinGroupResponse> ticket) {
        joinTicket = ticket;
    }

    void awaitSync(Ticket<SyncGroupResponse> ticket) {
        syncTicket = ticket;
    }

    /** The waiting JoinGroup, which waits no longer; null where there was none. */
    @Nullable
    Ticket<JoinGroupResponse> takeJoinTicket() {
        Ticket<JoinGroupResponse> ticket = joinTicket;
        joinTicket = null;
        return ticket;
    }

    /** The waiting SyncGroup, which waits no longer; null where there was none. */
    @Nullable
    Ticket<SyncGroupResponse> takeSyncTicket() {
        Ticket<SyncGroupResponse> ticket = syncTicket;
        syncTicket = null;
        return ticket;
    }

    @Override
    public String toString() {
        return instanceId == null ? id : id + " (instance " + instanceId + ")";
    }
}
