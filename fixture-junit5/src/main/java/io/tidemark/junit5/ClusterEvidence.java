package io.tidemark.junit5;

/** Hung onto a failed test as a suppressed exception: the state of the cluster when it failed. Has no stack. */
final class ClusterEvidence extends Exception {
    private static final long serialVersionUID = 1L;

    ClusterEvidence(String state) {
        super("The cluster when the test failed:\n" + state, null, false, false);
    }
}
