package io.tidemark.broker.architecture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LayersTest {
    @Test
    void brokerImportsOnlyFromLowerLayers() {
        new Layers(House.broker()).rule().check(House.broker().classes());
    }

    @Test
    void catchesImportFromHigherAndFromSameLayer() {
        House house = House.violating();

        assertThatThrownBy(() -> new Layers(house).rule().check(house.classes()))
                .hasMessageContaining("[record] of layer 2 uses [log] of layer 3")
                .hasMessageContaining("[api] of layer 6 uses [network] of layer 6");
    }

    @Test
    void catchesPackageThatTheTableDoesNotHave() {
        House house = House.violating();

        assertThatThrownBy(() -> new Layers(house).rule().check(house.classes()))
                .hasMessageContaining("violating.unplanned.Stray is in a package that the layer table does not have");
    }
}
