import { fromSource } from "./from-source.mjs"
await fromSource("test/search/run.ts", async ({ scenarios, searchScenario }) => {
  for (const scenario of scenarios)
    for (const dialect of ["sqlite", "postgres"]) {
      const began = Date.now()
      const found = await searchScenario(scenario, dialect, 100000)
      console.log(scenario.name, dialect, JSON.stringify(found), Date.now() - began, "ms")
      if (found.finding) console.log(found.finding.what + "\n" + found.finding.trace.join("\n"))
    }
})
