package io.tidemark.broker;

import io.tidemark.broker.config.InvalidConfigException;

/**
 * A host and a port out of a configuration.
 *
 * @param host the host, without brackets; may be empty
 * @param port 0 to 65535
 */
record HostPort(String host, int port) {
    /**
     * Reads {@code host:port}, with an IPv6 address in brackets.
     *
     * @param configName for the error
     */
    static HostPort parse(String configName, String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (colon < 0 || (host.contains(":") && !bracketed)) {
            throw bad(configName, text);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1).trim());
            if (port < 0 || port > 65_535) {
                throw bad(configName, text);
            }
            return new HostPort(bracketed ? host.substring(1, host.length() - 1) : host, port);
        } catch (NumberFormatException e) {
            throw bad(configName, text);
        }
    }

    private static InvalidConfigException bad(String configName, String text) {
        return new InvalidConfigException("Config " + configName + " has an address [" + text
                + "]; expected host:port with a port from 0 to 65535, an IPv6 host in brackets");
    }
}
