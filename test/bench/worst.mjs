// npm run bench -- worst: how long freight takes for about 1 MB of the worst of each kind of file.
import { writeFileSync } from "node:fs"
import path from "node:path"
import { fromSource } from "../../scripts/from-source.mjs"
import { bareEnv, compare, freight, NODE, workFolder } from "./measure.mjs"

/** @returns a row for each file */
export async function rows() {
  const folder = workFolder("worst")
  const env = bareEnv(folder)
  const table = []
  const { files, invoice } = await fromSource("test/worst/files.ts", async ({ listWorstFiles, INVOICE }) => ({
    files: listWorstFiles(),
    invoice: INVOICE,
  }))
  writeFileSync(path.join(folder, "invoice.json"), invoice)
  for (const { what, name, bytes, words } of files) {
    writeFileSync(path.join(folder, name), bytes)
    const command = [process.execPath, freight, ...words]
    const run = { what, floor: ["node -e 0", NODE], times: 1, env, cwd: folder, codes: [0, 1, 2] }
    table.push(...(await compare(run, { [`freight ${words[0]}`]: command })).slice(1))
  }
  return table
}
