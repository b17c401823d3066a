package io.tidemark.broker.architecture.violating.log;

import com.sun.jna.Native;

/** Calls into the C library past every door. */
public class CallsNativeCode {
    int lastError() {
        return Native.getLastError();
    }
}
