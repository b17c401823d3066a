/**
 * Asks transaction coordinators whether a producer's transaction may have records in a partition, before the first of
 * them is appended (KIP-890). Transactions version 2 has them added to the transaction on the way.
 *
 * <p>Facts: the coordinator is the leader of the partition of {@code __transaction_state} that the transactional id falls
 * on; one request is under way to a coordinator at a time, and carries all that came up meanwhile; who asks is answered
 * once, with an error where no answer came.
 *
 * <p>Thread rule: on the node's loop only.
 */
@NullMarked
package io.tidemark.broker.verification;

import org.jspecify.annotations.NullMarked;
