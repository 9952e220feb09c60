// npm run search: searches what few desks can do with an order or two, in every order of steps and with every fault, up to a
// bound; `-- --bound long` goes further and takes hours, `-- --scenario WORDS` and `-- --dialect sqlite` search a part. Prints how much it
// saw. Exits 1 with the steps that lead there when anything was made twice or lost, or waits for ever; 2 when the search
// itself breaks, which is no finding.
import { parseArgs } from "node:util"
import { fromSource } from "./from-source.mjs"

const { values } = parseArgs({
  options: {
    bound: { type: "string", default: "ci" },
    scenario: { type: "string" },
    dialect: { type: "string" },
    most: { type: "string", default: "20000000" },
  },
})
const began = Date.now()
let finding = ""
const total = { states: 0, steps: 0, ends: 0 }
const searching = fromSource("test/search/run.ts", async ({ listParts }) => {
  for (const part of listParts(values.bound, values.scenario, values.dialect)) {
    const start = Date.now()
    const found = await part.search(Number(values.most))
    for (const each of Object.keys(total)) total[each] += found[each]
    const seconds = ((Date.now() - start) / 1000).toFixed(1)
    console.log(
      `${part.name} (${part.dialect}; ${part.bound}): ${describe(found)}, ${seconds} s${found.isCut ? "; CUT SHORT" : ""}`,
    )
    if (!found.finding) continue
    console.log(`${found.finding.trace.join("\n")}\nFOUND: ${found.finding.what}`)
    finding = `${found.finding.what.split("\n")[0]} (${part.name}; ${part.dialect})`
    break
  }
})
/** A part without steps looks at one moment after the other. */
function describe({ states, steps, ends, settled, excused }) {
  if (steps === 0) return `${states} states`
  return `${states} states, ${steps} steps, ${ends} ends (${settled} put right, ${excused} doubles of people who were wrong)`
}

const broken = await searching.then(
  () => undefined,
  (error) => error,
)
const seconds = Math.round((Date.now() - began) / 1000)
if (broken !== undefined) console.error(broken)
const outcome = broken === undefined ? finding || "nothing found" : `BROKEN: ${broken.message}`
console.log(`${total.states} states, ${total.steps} steps, ${total.ends} ends in ${seconds} s: ${outcome}`)
process.exitCode = broken === undefined ? (finding === "" ? 0 : 1) : 2
