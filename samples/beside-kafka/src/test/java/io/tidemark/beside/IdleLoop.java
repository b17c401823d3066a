package io.tidemark.beside;

import io.tidemark.broker.time.Loop;
import java.util.concurrent.Callable;

/** Of a log that no broker has: it runs what it is given at once, and nothing is ever due. */
public final class IdleLoop implements Loop {
    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public Timer schedule(long delayMs, Runnable task) {
        return () -> {};
    }

    @Override
    public <T> void runBeside(String lane, Callable<T> work, Completion<T> done) {}
}
