package io.tidemark.broker.architecture.violating.log;

/** Of layer 3, for a lower layer to reach up to. */
public class Segment {}
