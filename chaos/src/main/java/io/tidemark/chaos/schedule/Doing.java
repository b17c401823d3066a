package io.tidemark.chaos.schedule;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import java.time.Duration;
import java.util.List;

/** A deed that is being done: to which cluster, by which chaos, and with which words, counted from 0. */
record Doing(Cluster cluster, Chaos chaos, List<String> words) {
    String word(int index) {
        return words.get(index);
    }

    int number(int index) {
        return Integer.parseInt(words.get(index));
    }

    Duration time(int index) {
        return Duration.ofMillis(Word.millisOf(words.get(index)));
    }
}
