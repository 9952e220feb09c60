// The floor: one thread that reads and parses, and checks nothing. A folder of files, or a file of lines.
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs"
import path from "node:path"

const [target] = process.argv.slice(2)
let documents = 0
if (statSync(target).isDirectory()) {
  for (const name of readdirSync(target)) {
    JSON.parse(readFileSync(path.join(target, name), "utf8"))
    documents++
  }
} else {
  let rest = ""
  for await (const chunk of createReadStream(target, { encoding: "utf8", highWaterMark: 4 << 20 })) {
    const text = rest + chunk
    let start = 0
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      JSON.parse(text.slice(start, end))
      documents++
      start = end + 1
    }
    rest = text.slice(start)
  }
}
if (documents === 0) throw new Error("nothing was read")
