package io.tidemark.scale;

/** Two hundred test methods in ten classes, each with a cluster of its own. */
final class TwoHundredOrders {
    static final Class<?>[] CLASSES = {
        Orders1.class,
        Orders2.class,
        Orders3.class,
        Orders4.class,
        Orders5.class,
        Orders6.class,
        Orders7.class,
        Orders8.class,
        Orders9.class,
        Orders10.class
    };

    private TwoHundredOrders() {}

    /** Number 1. */
    static class Orders1 extends TwentyOrders {}

    /** Number 2. */
    static class Orders2 extends TwentyOrders {}

    /** Number 3. */
    static class Orders3 extends TwentyOrders {}

    /** Number 4. */
    static class Orders4 extends TwentyOrders {}

    /** Number 5. */
    static class Orders5 extends TwentyOrders {}

    /** Number 6. */
    static class Orders6 extends TwentyOrders {}

    /** Number 7. */
    static class Orders7 extends TwentyOrders {}

    /** Number 8. */
    static class Orders8 extends TwentyOrders {}

    /** Number 9. */
    static class Orders9 extends TwentyOrders {}

    /** Number 10. */
    static class Orders10 extends TwentyOrders {}
}
