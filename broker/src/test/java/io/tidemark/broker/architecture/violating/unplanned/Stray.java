package io.tidemark.broker.architecture.violating.unplanned;

/** In a package that the layer table does not have. */
public class Stray {}
