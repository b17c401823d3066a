package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskNode.Folder;

/** What was done to the names in a folder since it was last forced. */
sealed interface FolderChange {
    /** Does it to the durable names. A name that stands for something else by then stays as it is. */
    void makeDurable();

    boolean touches(Folder folder);

    /** What the name stands for. */
    DiskNode node();

    /** A name given. */
    record Link(Folder folder, String name, DiskNode node) implements FolderChange {
        @Override
        public void makeDurable() {
            folder.durable.put(name, node);
        }

        @Override
        public boolean touches(Folder other) {
            return folder == other;
        }
    }

    /** A name taken. */
    record Unlink(Folder folder, String name, DiskNode node) implements FolderChange {
        @Override
        public void makeDurable() {
            folder.durable.remove(name, node);
        }

        @Override
        public boolean touches(Folder other) {
            return folder == other;
        }
    }

    /** A name changed: both names at once, or none. */
    record Move(Folder from, String name, Folder to, String newName, DiskNode node) implements FolderChange {
        @Override
        public void makeDurable() {
            from.durable.remove(name, node);
            to.durable.put(newName, node);
        }

        @Override
        public boolean touches(Folder other) {
            return from == other || to == other;
        }
    }
}
