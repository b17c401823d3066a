package io.tidemark.broker.simulation;

import java.util.List;

/** The rules of transactions, taken out one by one. Only runs that have transactions can notice. */
final class TransactionMutations {
    private TransactionMutations() {}

    /** Whether the run of a seed has what a mutation takes a rule from. */
    static boolean mayShow(Mutation mutation, long seed) {
        return !ALL.contains(mutation) || TransactionOptions.isDrawn(seed);
    }

    static final List<Mutation> ALL = List.of(
            // --- the coordinator
            new Mutation(
                    "a transaction is complete with its first marker",
                    "INV-44",
                    "transaction/markers/EndingTransaction",
                    "return missing.remove(partition) && missing.isEmpty();",
                    "return missing.remove(partition);"),
            new Mutation(
                    "markers are written before the end of the transaction is durable",
                    "INV-44",
                    "transaction/TransactionCoordinator",
                    "transactions.replay(offset, transactionalId, metadata);",
                    "transactions.replay(offset, transactionalId, metadata);\n"
                            + "if (isLoaded && metadata != null && metadata.state().isPrepared()) {"
                            + " effects.add(markersOf(metadata)); }"),
            new Mutation(
                    "a coordinator answers before its decision is durable",
                    "INV-44",
                    "coordinator/runtime/ShardHost",
                    "                return;\n            }\n        }\n        commits.await(writtenOffset, timeoutMs, error ->"
                            + " outcome.on(CoordinatorErrors.forClients(error)));",
                    "                return;\n            }\n        }\n        outcome.on(ErrorCode.NONE);"),
            new Mutation(
                    "a new coordinator does not go on with markers",
                    "INV-44",
                    "transaction/TransactionCoordinator",
                    "if (metadata.state().isPrepared() && !transactions.isInTransition(metadata.transactionalId())) {",
                    "if (metadata == null) {"),
            new Mutation(
                    "the state of transactions is loaded only in part",
                    "INV-45",
                    "coordinator/runtime/ShardLoader",
                    "        return true;\n    }\n\n    private void endTransaction",
                    "        return false;\n    }\n\n    private void endTransaction"),
            new Mutation(
                    "an id takes a step while another is under way",
                    "INV-47",
                    "transaction/Transactions",
                    "return entry != null\n                && (entry.inTransition\n",
                    "return entry != null\n                && (false && entry.inTransition\n"),
            new Mutation(
                    "a repeated end is another end",
                    "INV-47",
                    "transaction/EndTxnRules",
                    "yield wasCommit == request.isCommit() ? new Decision.Repeated(current) : invalidState();",
                    "yield wasCommit == request.isCommit() ? end(current, request, newProducerId, nowMs) :"
                            + " invalidState();"),
            new Mutation(
                    "a fenced producer ends a transaction (version 1)",
                    "INV-47",
                    "transaction/EndTxnRules",
                    "if (current.producerEpoch() != request.producerEpoch()) {",
                    "if (current == null) {"),
            new Mutation(
                    "a fenced producer ends a transaction (version 2)",
                    "INV-47",
                    "transaction/EndTxnRules",
                    "if (!isCurrent && !(mayBeRepeat && isRepeat)) {",
                    "if (false) {"),
            new Mutation(
                    "a fenced producer adds partitions",
                    "INV-48",
                    "transaction/TransactionCoordinator",
                    "return current.producerEpoch() == producerEpoch ? ErrorCode.NONE : ErrorCode.PRODUCER_FENCED;",
                    "return ErrorCode.NONE;"),
            new Mutation(
                    "a fenced producer gets the next epoch",
                    "INV-48",
                    "transaction/InitProducerIdRules",
                    "                || expected.producerEpoch() == current.producerEpoch()) {",
                    "                || expected.producerEpoch() <= current.producerEpoch()) {"),
            new Mutation(
                    "InitProducerId does not raise the epoch",
                    "INV-48",
                    "transaction/InitProducerIdRules",
                    "short bumped = (short) (current.producerEpoch() + 1);",
                    "short bumped = (short) Math.max(0, current.producerEpoch());"),
            new Mutation(
                    "InitProducerId is answered before the open transaction is aborted",
                    "INV-48",
                    "transaction/TransactionCoordinator",
                    "next -> next.state() == TransactionState.EMPTY\n",
                    "next -> next != null\n"),
            new Mutation(
                    "the end of a transaction does not raise the epoch",
                    "INV-46",
                    "transaction/TransactionMetadata",
                    "step.producerEpoch = bumpedUnlessLast();\n            step.lastProducerEpoch = producerEpoch;",
                    "step.lastProducerEpoch = producerEpoch;"),
            new Mutation(
                    "who takes too long is not fenced",
                    "INV-49",
                    "transaction/TransactionMetadata",
                    "step.producerEpoch = bumpedUnlessLast();\n        step.lastProducerEpoch = NO_PRODUCER_EPOCH;",
                    "step.lastProducerEpoch = NO_PRODUCER_EPOCH;"),
            new Mutation(
                    "a transaction may take as long as it takes",
                    "INV-49",
                    "transaction/TransactionCoordinator",
                    "if (metadata.isTimedOut(nowMs) && ",
                    "if (nowMs < 0 && "),
            // --- markers
            new Mutation(
                    "a marker that was refused counts as written",
                    "INV-44",
                    "transaction/markers/MarkerSender",
                    "                    place(marker);\n                    return false;",
                    "                    onWritten(marker);\n                    return true;"),
            new Mutation(
                    "markers that were not answered are not sent again",
                    "INV-44",
                    "transaction/markers/MarkerSender",
                    "sent.forEach(MarkerSender.this::place);",
                    ""),
            new Mutation(
                    "a marker is acknowledged before it is replicated",
                    "INV-44",
                    "api/MarkerWrite",
                    "return partitions.acksAllOutcome(partition, endOffset, leaderEpoch);",
                    "return ErrorCode.NONE;"),
            new Mutation(
                    "a marker of an older coordinator is taken",
                    "INV-45",
                    "log/ProducerRules",
                    "if (marker.coordinatorEpoch() < state.coordinatorEpoch()) {",
                    "if (false) {"),
            new Mutation(
                    "a late marker ends the next transaction",
                    "INV-46",
                    "log/ProducerRules",
                    "} else if (producerEpoch <= state.epoch() && !isRepeatedMarker(state, producerEpoch)) {",
                    "} else if (false) {"),
            // --- the partitions
            new Mutation(
                    "the last stable offset passes open transactions",
                    "INV-42",
                    "log/ProducerStates",
                    "        if (!open.isEmpty()) {\n            stable",
                    "        if (false) {\n            stable"),
            new Mutation(
                    "the last stable offset does not wait for the marker to be replicated",
                    "INV-42",
                    "log/ProducerStates",
                    "        if (!uncommitted.isEmpty()) {\n            stable",
                    "        if (false) {\n            stable"),
            new Mutation(
                    "the first offset of an open transaction is that of its last batch",
                    "INV-22",
                    "log/ProducerState",
                    "if (batch.isTransactional() && openTransactionOffset == NO_OFFSET) {",
                    "if (batch.isTransactional()) {"),
            new Mutation(
                    "the latest offset of read-committed is the high watermark",
                    "INV-41",
                    "api/ListOffsetsHandler",
                    "return request.isolationLevel() == READ_COMMITTED ? partition.lastStableOffset() :",
                    "return request.isolationLevel() == 9 ? partition.lastStableOffset() :"),
            new Mutation(
                    "an aborted transaction is in no index",
                    "INV-40",
                    "log/PartitionLog",
                    "if (completed != null && completed.aborted()) {",
                    "if (completed != null && completed.aborted() && nowMs < 0) {"),
            new Mutation(
                    "read-committed sees up to the high watermark",
                    "INV-40",
                    "replication/HostedPartition",
                    "return consumer.isReadCommitted() ? lastStableOffset() : highWatermark();",
                    "return highWatermark();"),
            new Mutation(
                    "partitions are not verified (version 1)",
                    "INV-50",
                    "verification/VerificationSettings",
                    "return isEnabled || support.addsPartitions();",
                    "return support.addsPartitions();"),
            new Mutation(
                    "who verifies a partition adds it (version 1)",
                    "INV-50",
                    "verification/CoordinatorQueue",
                    ".setVerifyOnly(!question.support().addsPartitions())",
                    ".setVerifyOnly(false)"),
            new Mutation(
                    "a transaction of an epoch that is over goes on",
                    "INV-33",
                    "log/ProducerRules",
                    "        if (producerEpoch < state.epoch()) {",
                    "        if (false) {"),
            // --- offsets
            new Mutation(
                    "offsets are seen before their transaction is committed",
                    "INV-52",
                    "group/OffsetStore",
                    "pending.add(producerId, new PendingOffsets.Pending(logOffset, groupId, partition, value));",
                    "write(logOffset, logOffset, groupId, partition, value);"),
            new Mutation(
                    "offsets go with the commit of their transaction",
                    "INV-43",
                    "group/OffsetStore",
                    "if (commit && ended.logOffset()",
                    "if (!commit && logOffset < 0 && ended.logOffset()"),
            new Mutation(
                    "offsets of an aborted transaction count",
                    "INV-52",
                    "group/OffsetStore",
                    "if (commit && ended.logOffset()",
                    "if (ended.logOffset()"),
            new Mutation(
                    "offsets are stable in an open transaction",
                    "INV-52",
                    "group/OffsetStore",
                    "return pending.contains(groupId, partition);",
                    "return false;"),
            new Mutation(
                    "whoever names a member of a group commits its offsets",
                    "INV-51",
                    "group/TransactionalOffsetRules",
                    "ErrorCode outcome = fault == ErrorCode.NONE ?",
                    "ErrorCode outcome = fault != null ?"),
            new Mutation(
                    "the marker of offsets is acknowledged before it is replicated",
                    "INV-44",
                    "coordinator/runtime/ShardHost",
                    "        } finally {\n            batch.release();\n        }\n        commits.await(writtenOffset,"
                            + " timeoutMs, error -> outcome.on(CoordinatorErrors.forClients(error)));",
                    "        } finally {\n            batch.release();\n        }\n        outcome.on(ErrorCode.NONE);"));
}
