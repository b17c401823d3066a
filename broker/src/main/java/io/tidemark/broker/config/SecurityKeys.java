package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigRule.between;
import static io.tidemark.broker.config.ConfigRule.oneOf;
import static io.tidemark.broker.config.ConfigRule.oneOfIgnoringCase;
import static io.tidemark.broker.config.ConfigType.BOOLEAN;
import static io.tidemark.broker.config.ConfigType.CLASS;
import static io.tidemark.broker.config.ConfigType.DOUBLE;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LIST;
import static io.tidemark.broker.config.ConfigType.LONG;
import static io.tidemark.broker.config.ConfigType.PASSWORD;
import static io.tidemark.broker.config.ConfigType.SHORT;
import static io.tidemark.broker.config.ConfigType.STRING;

/** Security: TLS, SASL, tokens, authorizers: names, types, defaults and rules as in Apache Kafka 4.4. */
final class SecurityKeys {
    private SecurityKeys() {}

    static void addTo(ConfigKeys keys) {
        keys.add("authorizer.class.name", STRING, "");
        keys.add("connection.failed.authentication.delay.ms", INT, "100", atLeast(0));
        keys.add("connections.max.reauth.ms", LONG, "0");
        keys.add("delegation.token.expiry.check.interval.ms", LONG, "3600000", atLeast(1));
        keys.add("delegation.token.expiry.time.ms", LONG, "86400000", atLeast(1));
        keys.add("delegation.token.max.lifetime.ms", LONG, "604800000", atLeast(1));
        keys.add("delegation.token.secret.key", PASSWORD, null);
        keys.add(
                "principal.builder.class",
                CLASS,
                "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder");
        keys.add("sasl.client.callback.handler.class", CLASS, null);
        keys.add("sasl.enabled.mechanisms", LIST, "GSSAPI");
        keys.add("sasl.jaas.config", PASSWORD, null);
        keys.add("sasl.kerberos.kinit.cmd", STRING, "/usr/bin/kinit");
        keys.add("sasl.kerberos.min.time.before.relogin", LONG, "60000");
        keys.add("sasl.kerberos.principal.to.local.rules", LIST, "DEFAULT");
        keys.add("sasl.kerberos.service.name", STRING, null);
        keys.add("sasl.kerberos.ticket.renew.jitter", DOUBLE, "0.05");
        keys.add("sasl.kerberos.ticket.renew.window.factor", DOUBLE, "0.8");
        keys.add("sasl.login.callback.handler.class", CLASS, null);
        keys.add("sasl.login.class", CLASS, null);
        keys.add("sasl.login.connect.timeout.ms", INT, null);
        keys.add("sasl.login.read.timeout.ms", INT, null);
        keys.add("sasl.login.refresh.buffer.seconds", SHORT, "300");
        keys.add("sasl.login.refresh.min.period.seconds", SHORT, "60");
        keys.add("sasl.login.refresh.window.factor", DOUBLE, "0.8");
        keys.add("sasl.login.refresh.window.jitter", DOUBLE, "0.05");
        keys.add("sasl.login.retry.backoff.max.ms", LONG, "10000");
        keys.add("sasl.login.retry.backoff.ms", LONG, "100");
        keys.add("sasl.mechanism.controller.protocol", STRING, "GSSAPI");
        keys.add("sasl.mechanism.inter.broker.protocol", STRING, "GSSAPI");
        keys.add("sasl.oauthbearer.allow.unverified.audience", BOOLEAN, "false");
        keys.add("sasl.oauthbearer.allow.unverified.issuer", BOOLEAN, "false");
        keys.add("sasl.oauthbearer.assertion.algorithm", STRING, "RS256", oneOfIgnoringCase("ES256", "RS256"));
        keys.add("sasl.oauthbearer.assertion.claim.aud", STRING, null);
        keys.add("sasl.oauthbearer.assertion.claim.exp.seconds", INT, "300", between(0, 86400));
        keys.add("sasl.oauthbearer.assertion.claim.iss", STRING, null);
        keys.add("sasl.oauthbearer.assertion.claim.jti.include", BOOLEAN, "false");
        keys.add("sasl.oauthbearer.assertion.claim.nbf.seconds", INT, "60", between(0, 3600));
        keys.add("sasl.oauthbearer.assertion.claim.sub", STRING, null);
        keys.add("sasl.oauthbearer.assertion.file", STRING, null);
        keys.add("sasl.oauthbearer.assertion.private.key.file", STRING, null);
        keys.add("sasl.oauthbearer.assertion.private.key.passphrase", PASSWORD, null);
        keys.add("sasl.oauthbearer.assertion.template.file", STRING, null);
        keys.add("sasl.oauthbearer.client.credentials.client.id", STRING, null);
        keys.add("sasl.oauthbearer.client.credentials.client.secret", PASSWORD, null);
        keys.add("sasl.oauthbearer.clock.skew.seconds", INT, "30");
        keys.add("sasl.oauthbearer.expected.audience", LIST, "");
        keys.add("sasl.oauthbearer.expected.issuer", STRING, null);
        keys.add("sasl.oauthbearer.jwks.endpoint.refresh.ms", LONG, "3600000");
        keys.add("sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms", LONG, "10000");
        keys.add("sasl.oauthbearer.jwks.endpoint.retry.backoff.ms", LONG, "100");
        keys.add("sasl.oauthbearer.jwks.endpoint.url", STRING, null);
        keys.add(
                "sasl.oauthbearer.jwt.retriever.class",
                CLASS,
                "org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever");
        keys.add(
                "sasl.oauthbearer.jwt.validator.class",
                CLASS,
                "org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator");
        keys.add("sasl.oauthbearer.scope", STRING, null);
        keys.add("sasl.oauthbearer.scope.claim.name", STRING, "scope");
        keys.add("sasl.oauthbearer.sub.claim.name", STRING, "sub");
        keys.add("sasl.oauthbearer.token.endpoint.url", STRING, null);
        keys.add("sasl.server.callback.handler.class", CLASS, null);
        keys.add("sasl.server.max.receive.size", INT, "524288");
        keys.add("security.providers", STRING, null);
        keys.add("ssl.allow.dn.changes", BOOLEAN, "false");
        keys.add("ssl.allow.san.changes", BOOLEAN, "false");
        keys.add("ssl.cipher.suites", LIST, "");
        keys.add("ssl.client.auth", STRING, "none", oneOf("required", "requested", "none"));
        keys.add("ssl.enabled.protocols", LIST, "TLSv1.2,TLSv1.3");
        keys.add("ssl.endpoint.identification.algorithm", STRING, "https");
        keys.add("ssl.engine.factory.class", CLASS, null);
        keys.add("ssl.key.password", PASSWORD, null);
        keys.add("ssl.keymanager.algorithm", STRING, "SunX509");
        keys.add("ssl.keystore.certificate.chain", PASSWORD, null);
        keys.add("ssl.keystore.key", PASSWORD, null);
        keys.add("ssl.keystore.location", STRING, null);
        keys.add("ssl.keystore.password", PASSWORD, null);
        keys.add("ssl.keystore.type", STRING, "JKS");
        keys.add("ssl.principal.mapping.rules", STRING, "DEFAULT");
        keys.add("ssl.protocol", STRING, "TLSv1.3");
        keys.add("ssl.provider", STRING, null);
        keys.add("ssl.secure.random.implementation", STRING, null);
        keys.add("ssl.trustmanager.algorithm", STRING, "PKIX");
        keys.add("ssl.truststore.certificates", PASSWORD, null);
        keys.add("ssl.truststore.location", STRING, null);
        keys.add("ssl.truststore.password", PASSWORD, null);
        keys.add("ssl.truststore.type", STRING, "JKS");
    }
}
