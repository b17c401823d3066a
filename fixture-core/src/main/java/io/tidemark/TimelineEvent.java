package io.tidemark;

import java.util.OptionalInt;

/**
 * Something that happened in or to a cluster.
 *
 * <pre>{@code
 * cluster.timeline().forEach(System.out::println);
 * }</pre>
 *
 * @param timestampMs when, by the cluster's clock, in milliseconds since 1970
 * @param kind what sort of thing
 * @param subject what it happened to, for example {@code orders-0} or {@code broker 2}
 * @param text what happened
 * @param leader the broker that leads from then on; empty where none does, and for other kinds than {@link Kind#LEADER}
 */
public record TimelineEvent(long timestampMs, Kind kind, String subject, String text, OptionalInt leader) {
    /** What sort of thing happened. */
    public enum Kind {
        /** The test, or what it used, did something to the cluster. */
        FAULT,
        /** A fault has struck: a request, a link or a disk. */
        STRIKE,
        /** A partition has another leader, or none. */
        LEADER,
        /** A partition has other replicas in sync. */
        ISR,
        /** A topic was created or deleted. */
        TOPIC,
        /** A broker registered, was fenced or unfenced. */
        BROKER,
        /** The controllers have another leader. */
        CONTROLLER,
        /** A config was set or taken back. */
        CONFIG,
        /** A group has another generation. */
        GROUP,
        /** A group has committed an offset. */
        OFFSET,
        /** A transaction has begun, has another partition, or is about to end or has ended. */
        TRANSACTION,
        /** A client has connected to a broker, or is gone. */
        CONNECTION,
        /** A node has logged a line. */
        LOG
    }

    TimelineEvent(long timestampMs, Kind kind, String subject, String text) {
        this(timestampMs, kind, subject, text, OptionalInt.empty());
    }

    /** For example {@code LEADER orders-0: leader 2, leader epoch 1, ISR [2, 3]}. */
    @Override
    public String toString() {
        return kind + " " + subject + ": " + text;
    }
}
