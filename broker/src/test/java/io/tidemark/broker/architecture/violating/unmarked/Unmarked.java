package io.tidemark.broker.architecture.violating.unmarked;

/** In a package without a package-info. */
public class Unmarked {}
