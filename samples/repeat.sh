#!/usr/bin/env bash
# repeat.sh [TIMES] [CLASS]
# Runs a sample so many times in a row, ten in each fresh JVM, and stops at the first failure. Not part of the build.
# Environment: JAVA_HOME the JDK, REPEAT_JAVA_OPTS more options for it, REPEAT_JAVA a command to run in place of java
# (for example one that traces it).
set -euo pipefail
cd "$(dirname "$0")/.."
times=${1:-100}
sample=${2:-io.tidemark.samples.OrdersSurviveLeaderLossIT}
per_jvm=${REPEAT_PER_JVM:-10}

class_path_file=samples/target/repeat.classpath
mvn -B -q -Pquick -pl samples -am test-compile dependency:build-classpath -Dmdep.outputFile="$PWD/$class_path_file"
class_path=samples/target/test-classes:$(cat "$class_path_file")

started=$SECONDS
done_runs=0
while [ "$done_runs" -lt "$times" ]; do
  runs=$((times - done_runs < per_jvm ? times - done_runs : per_jvm))
  # shellcheck disable=SC2086
  ${REPEAT_JAVA:-${JAVA_HOME:+$JAVA_HOME/bin/}java} -Dorg.slf4j.simpleLogger.defaultLogLevel=error ${REPEAT_JAVA_OPTS:-} \
    -cp "$class_path" io.tidemark.samples.repeat.RepeatedRun "$sample" "$runs" "$done_runs"
  done_runs=$((done_runs + runs))
done
echo "$sample passed $done_runs times in a row in $((SECONDS - started)) s"
