package io.tidemark.evidence;

import static io.tidemark.evidence.EvidencePage.escaped;

import java.util.Locale;

/** Writes the shapes of a chart. Belongs to one thread. */
final class Svg {
    static final String INK = "#1b1f24";
    static final String PALE = "#57606a";
    static final String RED = "#cf222e";
    static final String GREY = "#d0d7de";
    static final String ORANGE = "#bc4c00";
    static final String PURPLE = "#8250df";
    private static final String[] BROKERS = {"#54aeff", "#4ac26b", "#d4a72c", "#c297ff", "#ff8182", "#39c5cf"};

    private final StringBuilder out = new StringBuilder();

    /** The colour of a broker, the same all over a page. */
    static String colourOf(int brokerId) {
        return BROKERS[Math.floorMod(brokerId - 1, BROKERS.length)];
    }

    void text(double x, double y, String colour, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n", x, y, colour, escaped(text));
    }

    /** @param title what is shown where the pointer rests on it; empty for nothing */
    void box(double x, double y, double width, double height, String colour, String title) {
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">%s</rect>\n",
                x, y, width, height, colour, titled(title));
    }

    void line(double x1, double y1, double x2, double y2, String style, String title) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s>%s</line>\n",
                x1, y1, x2, y2, style, titled(title));
    }

    void path(String steps, String style, String title) {
        add("<path d=\"%s\" %s>%s</path>\n", steps, style, titled(title));
    }

    static String step(boolean isFirst, double x, double y) {
        return String.format(Locale.ROOT, isFirst ? "M%.1f %.1f" : " L%.1f %.1f", x, y);
    }

    private static String titled(String title) {
        return title.isEmpty() ? "" : "<title>" + escaped(title) + "</title>";
    }

    private void add(String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments));
    }

    String framed(int width, int height) {
        return String.format(
                Locale.ROOT,
                "<svg width=\"%d\" height=\"%d\" xmlns=\"http://www.w3.org/2000/svg\">\n%s</svg>\n",
                width,
                height,
                out);
    }
}
