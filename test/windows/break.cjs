// Ctrl-Break, which only a console can send, as Node tells it: once something is printed.
const { stdout } = process
const { write } = stdout
stdout.write = (...args) => {
  stdout.write = write
  setImmediate(() => process.emit("SIGBREAK", "SIGBREAK"))
  return write.apply(stdout, args)
}
