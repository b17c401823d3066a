package io.tidemark.broker.architecture.violating.log;

import java.util.concurrent.CompletableFuture;

/** Runs code elsewhere than on the loop. */
public class StartsThreads {
    void onAThread(Runnable task) {
        new Thread(task).start();
    }

    CompletableFuture<Void> onTheCommonPool(Runnable task) {
        return CompletableFuture.runAsync(task);
    }
}
