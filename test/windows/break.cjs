// Ctrl-Break, which only a console can send, as Node tells it.
setTimeout(() => process.emit("SIGBREAK", "SIGBREAK"), Number(process.env.FREIGHT_TEST_BREAK_MS)).unref()
