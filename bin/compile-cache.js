/**
 * What `module.enableCompileCache` does from Node 22.8 on, for Node 20: the files of `dist/` are kept as V8 has compiled
 * them, in the person's own cache folder, and are not compiled again. Whatever goes wrong with it costs only that time:
 * V8 refuses what another version or another machine has made. What is kept cannot `import()`; `dist/` does not.
 */
const fs = require("node:fs")
const path = require("node:path")
const vm = require("node:vm")

/** The class of this very module: loading `node:module` for it takes a millisecond. */
const Module = module.constructor
const DIST = path.join(__dirname, "../dist") + path.sep
/** What other builds left so long ago is cleared away. */
const KEPT_FOR_MS = 7 * 24 * 3_600_000

exports.enable = ({ env, platform, version, arch }) => {
  const caches =
    platform === "win32"
      ? env.LOCALAPPDATA
      : env.XDG_CACHE_HOME ||
        (env.HOME && path.join(env.HOME, platform === "darwin" ? "Library/Caches" : ".cache"))
  const build = textOf(path.join(DIST, "build"))
  if (env.NODE_DISABLE_COMPILE_CACHE || !caches || !build) return
  const folder = path.join(caches, "freight-cli")
  const kept = path.join(folder, `${build}-${version}-${arch}`)
  const fresh = new Map()

  const compileAnew = Module.prototype._compile
  Module.prototype._compile = function (source, filename, ...more) {
    if (!filename.startsWith(DIST)) return compileAnew.call(this, source, filename, ...more)
    const file = path.join(kept, path.basename(filename))
    const cachedData = bytesOf(file)
    const script = new vm.Script(Module.wrap(source), { filename, cachedData })
    if (!cachedData || script.cachedDataRejected) fresh.set(file, script)
    const require = (id) => this.require(id)
    return script.runInThisContext()(this.exports, require, this, filename, path.dirname(filename))
  }
  // Only now it is known which functions are used: they are kept compiled as well.
  process.once("exit", () => {
    if (fresh.size > 0) keep(folder, kept, fresh)
  })
}

function keep(folder, kept, fresh) {
  try {
    fs.mkdirSync(kept, { recursive: true, mode: 0o700 })
    for (const [file, script] of fresh) {
      const draft = `${file}.${process.pid}`
      fs.writeFileSync(draft, script.createCachedData(), { mode: 0o600 })
      fs.renameSync(draft, file)
    }
    const now = Date.now()
    fs.utimesSync(kept, now / 1000, now / 1000)
    for (const name of fs.readdirSync(folder)) {
      const other = path.join(folder, name)
      if (now - fs.statSync(other).mtimeMs > KEPT_FOR_MS) fs.rmSync(other, { recursive: true, force: true })
    }
  } catch {
    // A full disk, or a home that is not to be written: it starts a little slower.
  }
}

function bytesOf(file) {
  try {
    return fs.readFileSync(file)
  } catch {
    return undefined
  }
}

function textOf(file) {
  return bytesOf(file)?.toString("utf8")
}
