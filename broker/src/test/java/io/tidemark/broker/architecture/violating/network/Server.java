package io.tidemark.broker.architecture.violating.network;

/** Of layer 6, for its neighbour to reach across to. */
public class Server {}
