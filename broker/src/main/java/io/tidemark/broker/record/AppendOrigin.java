package io.tidemark.broker.record;

/** Who appends to a leader's log; decides how strictly the records are looked at. */
public enum AppendOrigin {
    /** A producer, over the wire: everything is checked. */
    CLIENT,
    /** A coordinator of this node, on its own partition: no sequences, control batches allowed. */
    COORDINATOR,
    /** The metadata quorum's leader: offsets are assigned already, control batches allowed. */
    RAFT_LEADER
}
