package io.tidemark.broker.raft;

import io.tidemark.broker.protocol.ErrorCode;

/**
 * The answer to a {@link RaftRequest}.
 *
 * @param leaderId the leader that the answering node knows of in its epoch, or {@link ElectionState#NOBODY}
 * @param leaderEpoch the answering node's epoch
 * @param isVoteGranted meant for {@link RaftRequest.Vote} only
 */
public record RaftReply(ErrorCode error, int leaderId, int leaderEpoch, boolean isVoteGranted) {}
