package io.tidemark.broker.simulation;

import java.util.ArrayList;
import java.util.List;

/** The clients of a run that has transactions, on a topic that others write to as well. */
final class TransactionWorkload {
    private final World world;
    private final Cluster cluster;
    private final TransactionOptions options;
    private final TransactionOracle judge;
    private final List<TransactionalId> ids = new ArrayList<>();
    private final List<Consumer> readers = new ArrayList<>();
    private final List<OffsetReader> offsetReaders = new ArrayList<>();
    private final LateCoordinator lateCoordinator;

    private boolean isEnding;

    TransactionWorkload(
            World world, Oracle oracle, Cluster cluster, int brokers, TransactionOptions options, String topic) {
        this.world = world;
        this.cluster = cluster;
        this.options = options;
        judge = new TransactionOracle(world, oracle, topic, options.hasImplicitPartitions());
        oracle.watchTransactions(judge);
        for (int i = 1; i <= options.ids; i++) {
            TransactionalId id = new TransactionalId(
                    world,
                    i,
                    options.rivalEveryMs,
                    (of, instance) -> new TransactionalClient(
                            world, oracle, judge, cluster.newClientMachine(), brokers, of, options, topic));
            ids.add(id);
            offsetReaders.add(new OffsetReader(world, oracle, judge, cluster.newClientMachine(), brokers, id, topic));
        }
        lateCoordinator =
                new LateCoordinator(world, oracle, judge, cluster.newClientMachine(), brokers, options, topic);
        Machine machine = cluster.newClientMachine();
        readers.add(new Consumer(
                world, oracle, machine, brokers, 100, topic, new CommittedView(judge, machine.id(), topic)));
    }

    void start() {
        ids.forEach(TransactionalId::start);
        readers.forEach(Consumer::start);
        offsetReaders.forEach(OffsetReader::start);
        lateCoordinator.start();
        if (options.blackoutAtMs > 0) {
            world.after(options.blackoutAtMs * World.MS, 0, "blackout", this::blackout);
        }
    }

    /** All brokers at once, so that they come back with high watermarks as of their last checkpoints. */
    private void blackout() {
        if (isEnding) {
            return;
        }
        for (SimulatedNode node : cluster.brokers()) {
            if (node.isUp()) {
                node.kill();
                world.after(world.between(50, 600) * World.MS, node.id(), "start", node::start);
            }
        }
    }

    void end() {
        isEnding = true;
        lateCoordinator.end();
        ids.forEach(TransactionalId::end);
    }

    /** What has yet to come right, or nothing. */
    String missing() {
        if (!judge.isSound()) {
            // Markers that contradict what is left are refused, and then a transaction is never over.
            return "";
        }
        for (TransactionalId id : ids) {
            if (!id.isAtRest()) {
                return id + " has a transaction without an outcome";
            }
        }
        String missing = judge.missing();
        if (!missing.isEmpty()) {
            return missing;
        }
        for (Consumer reader : readers) {
            if (!reader.isWhole()) {
                return reader + " has not read all that is committed";
            }
        }
        for (int i = 0; i < ids.size(); i++) {
            long last = judge.lastOffset(ids.get(i));
            if (offsetReaders.get(i).seen() != last) {
                return "the offset of " + ids.get(i).group() + " is shown as "
                        + offsetReaders.get(i).seen() + ", and " + last + " is committed";
            }
        }
        return "";
    }

    void checkEnd() {
        judge.checkEnd();
        readers.forEach(Consumer::checkRead);
    }

    String summary() {
        return judge.summary();
    }
}
