// Runs in Wine, by Node for Windows: starts programs, ends them and holds files, as the tests ask over a socket. A program
// started from Linux would get Wine's own environment. Argument: the port on which the tests listen.
const { spawn } = require("node:child_process")
const { closeSync, constants, openSync } = require("node:fs")
const { connect } = require("node:net")
const { createInterface } = require("node:readline")

/** libuv's UV_FS_O_EXLOCK: nobody else may open the file. */
const EXCLUSIVE = 0x10000000

const children = new Map()
const held = new Map()
const socket = connect(Number(process.argv[2]), "127.0.0.1")

const actions = {
  /** Standard output is a file: Wine 8 has no pipes for Node's. */
  run(asked, reply, tries = 3) {
    const { id, file, args, env, cwd, stdin, stdout, stderr } = asked
    const stdio = [
      stdin === undefined ? "ignore" : openSync(stdin, "r"),
      openSync(stdout, "w"),
      openSync(stderr, "w"),
    ]
    const child = spawn(file, args, { env, cwd, stdio })
    children.set(id, child)
    for (const each of stdio) if (typeof each === "number") closeSync(each)
    child.on("error", (error) => {
      // Where much is going on, Wine 8 now and then starts nothing.
      if (error.code === "UNKNOWN" && tries > 1) setTimeout(() => actions.run(asked, reply, tries - 1), 200)
      else reply({ error: error.message })
    })
    child.on("exit", (code, signal) => {
      children.delete(id)
      reply({ code, signal })
    })
  },
  kill({ run }, reply) {
    reply({ killed: children.get(run)?.kill() ?? false })
  },
  hold({ id, file }, reply) {
    held.set(id, openSync(file, constants.O_RDWR | EXCLUSIVE))
    reply({})
  },
  release({ hold }, reply) {
    closeSync(held.get(hold))
    held.delete(hold)
    reply({})
  },
}

createInterface({ input: socket }).on("line", (line) => {
  const asked = JSON.parse(line)
  const reply = (answer) => socket.write(`${JSON.stringify({ id: asked.id, ...answer })}\n`)
  try {
    actions[asked.action](asked, reply)
  } catch (error) {
    reply({ error: error.message })
  }
})
socket.on("close", () => process.exit())
