package io.tidemark.broker.journal;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.FormattingTuple;
import org.slf4j.helpers.MessageFormatter;

/**
 * A logger that tells the node's journal too. Messages and arguments are slf4j's, a last argument that is an exception
 * included; works with slf4j 1.7 and 2.0.
 *
 * <pre>{@code
 * private static final NodeLog LOG = NodeLog.of(LogCleaner.class);
 * LOG.warn("Closing {} failed", log, exception);
 * }</pre>
 */
public final class NodeLog {
    private final Logger logger;
    private final String source;

    private NodeLog(Class<?> source) {
        this.logger = LoggerFactory.getLogger(source);
        this.source = source.getSimpleName();
    }

    /** Under the class's own name, as slf4j has it. */
    public static NodeLog of(Class<?> source) {
        return new NodeLog(source);
    }

    public void error(String message, @Nullable Object... arguments) {
        logger.error(message, arguments);
        tell("ERROR", message, arguments);
    }

    public void warn(String message, @Nullable Object... arguments) {
        logger.warn(message, arguments);
        tell("WARN", message, arguments);
    }

    public void info(String message, @Nullable Object... arguments) {
        logger.info(message, arguments);
        tell("INFO", message, arguments);
    }

    /** For slf4j alone. */
    public void debug(String message, @Nullable Object... arguments) {
        logger.debug(message, arguments);
    }

    /** For slf4j alone. */
    public void trace(String message, @Nullable Object... arguments) {
        logger.trace(message, arguments);
    }

    private void tell(String level, String message, @Nullable Object... arguments) {
        if (Thread.currentThread() instanceof NodeThread thread) {
            FormattingTuple line = MessageFormatter.arrayFormat(message, arguments);
            Throwable cause = line.getThrowable();
            thread.journal().line(level, source, line.getMessage() + (cause == null ? "" : ": " + cause));
        }
    }
}
