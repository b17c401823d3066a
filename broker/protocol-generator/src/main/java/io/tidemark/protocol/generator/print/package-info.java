/**
 * Third of three steps: Java source from the model. Each printer adds one aspect (fields, reading, writing, value
 * methods) to a class. The output depends on the model alone, so that an unchanged spec gives an unchanged file.
 * Thread rule: none; printers hold no state between messages.
 */
@NullMarked
package io.tidemark.protocol.generator.print;

import org.jspecify.annotations.NullMarked;
