package io.tidemark.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.Cluster;
import io.tidemark.broker.Broker;
import io.tidemark.chaos.Chaos;
import io.tidemark.junit5.KafkaCluster;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** On the module path each jar is a module under a name that stays, and no package is in two of them. */
class ModuleNamesIT {
    private static final Map<Class<?>, String> NAMES = Map.of(
            Broker.class, "io.tidemark.broker",
            Cluster.class, "io.tidemark",
            Chaos.class, "io.tidemark.chaos",
            KafkaCluster.class, "io.tidemark.junit5");

    @Test
    void eachJarIsAModuleUnderANameThatStays() {
        NAMES.forEach((type, name) -> assertThat(module(type).name()).isEqualTo(name));
    }

    @Test
    void noPackageIsInTwoModules() {
        Map<String, List<String>> modules = new TreeMap<>();
        NAMES.keySet().stream().map(ModuleNamesIT::module).forEach(module -> module.packages()
                .forEach(name ->
                        modules.computeIfAbsent(name, any -> new ArrayList<>()).add(module.name())));

        assertThat(modules)
                .containsKey("io.tidemark")
                .allSatisfy((name, in) -> assertThat(in).as(name).hasSize(1));
    }

    private static ModuleDescriptor module(Class<?> type) {
        Path jar;
        try {
            jar = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        assumeTrue(jar.toString().endsWith(".jar"), () -> "it is built, and not run from " + jar);
        return Stream.of(ModuleFinder.of(jar))
                .flatMap(finder -> finder.findAll().stream())
                .map(ModuleReference::descriptor)
                .findFirst()
                .orElseThrow();
    }
}
