package io.tidemark.broker.config;

/** A configuration that cannot be used. The message names the key, brackets the value and says what would do. */
public final class InvalidConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidConfigException(String message) {
        super(message);
    }

    static InvalidConfigException of(String name, String value, String expected) {
        return new InvalidConfigException("Config " + name + " is [" + value + "]; expected " + expected);
    }
}
