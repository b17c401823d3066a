package io.tidemark.broker.metadata;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.AccessControlEntryRecord;
import io.tidemark.broker.protocol.metadata.ClientQuotaRecord;
import io.tidemark.broker.protocol.metadata.DelegationTokenRecord;
import io.tidemark.broker.protocol.metadata.RemoveAccessControlEntryRecord;
import io.tidemark.broker.protocol.metadata.RemoveDelegationTokenRecord;
import io.tidemark.broker.protocol.metadata.RemoveUserScramCredentialRecord;
import io.tidemark.broker.protocol.metadata.UserScramCredentialRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What this broker does not act on, and must not lose: access control entries, client quotas, SCRAM credentials and
 * delegation tokens, each as the record that set it. A snapshot stands for all records below it, so what an image
 * forgets is gone for good. Immutable.
 *
 * @param byKey the records by what they set, never one that removes
 */
public record CarriedRecords(SortedMap<String, ApiMessage> byKey) {
    public static final CarriedRecords EMPTY = new CarriedRecords(new TreeMap<>());

    public CarriedRecords {
        byKey = Collections.unmodifiableSortedMap(new TreeMap<>(byKey));
    }

    /** The records, in an order that depends on nothing but them. */
    public Collection<ApiMessage> records() {
        return byKey.values();
    }

    /** Takes a record into a map of these; false where the record is of another kind. */
    static boolean replay(SortedMap<String, ApiMessage> byKey, ApiMessage record) {
        if (record instanceof RemoveAccessControlEntryRecord removal) {
            byKey.remove(accessControlEntry(removal.id().toString()));
        } else if (record instanceof RemoveUserScramCredentialRecord removal) {
            byKey.remove(scram(removal.name(), removal.mechanism()));
        } else if (record instanceof RemoveDelegationTokenRecord removal) {
            byKey.remove(token(removal.tokenId()));
        } else if (record instanceof ClientQuotaRecord quota && quota.remove()) {
            byKey.remove(keyOf(quota));
        } else {
            String key = keyOf(record);
            if (key.isEmpty()) {
                return false;
            }
            byKey.put(key, record);
        }
        return true;
    }

    /** The record that undoes one of these. */
    static ApiMessage removalOf(ApiMessage record) {
        if (record instanceof AccessControlEntryRecord entry) {
            return new RemoveAccessControlEntryRecord().setId(entry.id());
        }
        if (record instanceof UserScramCredentialRecord credential) {
            return new RemoveUserScramCredentialRecord()
                    .setName(credential.name())
                    .setMechanism(credential.mechanism());
        }
        if (record instanceof DelegationTokenRecord token) {
            return new RemoveDelegationTokenRecord().setTokenId(token.tokenId());
        }
        if (record instanceof ClientQuotaRecord quota) {
            return new ClientQuotaRecord()
                    .setEntity(quota.entity())
                    .setKey(quota.key())
                    .setRemove(true);
        }
        throw new IllegalArgumentException("Nothing removes " + record);
    }

    /** Empty for a record that is none of these. */
    private static String keyOf(ApiMessage record) {
        if (record instanceof AccessControlEntryRecord entry) {
            return accessControlEntry(entry.id().toString());
        }
        if (record instanceof UserScramCredentialRecord credential) {
            return scram(credential.name(), credential.mechanism());
        }
        if (record instanceof DelegationTokenRecord token) {
            return token(token.tokenId());
        }
        if (record instanceof ClientQuotaRecord quota) {
            List<String> entity = new ArrayList<>();
            quota.entity()
                    .forEach(part ->
                            entity.add(part.entityType() + (part.entityName() == null ? "" : "=" + part.entityName())));
            Collections.sort(entity);
            return "quota " + entity + " " + quota.key();
        }
        return "";
    }

    private static String accessControlEntry(String id) {
        return "acl " + id;
    }

    private static String scram(String user, byte mechanism) {
        return "scram " + mechanism + " " + user;
    }

    private static String token(String id) {
        return "token " + id;
    }
}
