import { parse } from "csv-parse/sync"
import { describe, expect, it } from "vitest"
import { createReporter, REPORT_FORMATS } from "../../src/invoice/reporters/index.ts"
import { createTableReporter } from "../../src/invoice/reporters/table.ts"
import { widthOf } from "../../src/output/terminal/width.ts"
import { FINDINGS, finding, LAYOUT, NOTHING, RESULTS, SUMMARY, written, writtenOf } from "./reported.ts"

const ENDINGS: Readonly<Record<string, string>> = {
  table: "txt",
  xlsx: "xlsx.xml",
  junit: "xml",
  github: "github.txt",
}
/** Colours a terminal, rings its bell, hides what follows, and is half a character. */
const HOSTILE = "\u001b[31mred\u0007\u202e\u0000\ud800<&\"'>"

describe("every format", () => {
  for (const format of REPORT_FORMATS) {
    it(`${format}: a run of several files`, async () => {
      const file = `./reports/run.${ENDINGS[format] ?? format}`
      await expect(await written(format)).toMatchFileSnapshot(file)
    })

    it(`${format}: lets nothing through that a terminal would obey`, async () => {
      const text = await writtenOf(format, { message: HOSTILE, hint: HOSTILE, property: HOSTILE }, HOSTILE)
      expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cs}|\u202e/u)
    })
  }

  it.each(
    REPORT_FORMATS,
  )("%s: twice as many findings take twice the looks, and no longer pieces", async (format) => {
    const looksAt = async (count: number) => {
      let looks = 0
      const findings = new Proxy(
        Array.from({ length: count }, () => finding()),
        {
          get(target, name, receiver) {
            looks++
            return Reflect.get(target, name, receiver)
          },
        },
      )
      const reporter = await createReporter(format, LAYOUT)
      const pieces = [...reporter.document({ file: "INV-1.json", valid: false, findings })]
      return { looks, longest: Math.max(...pieces.map((piece) => piece.length)) }
    }
    const [once, twice] = [await looksAt(500), await looksAt(1000)]
    expect(once.looks).toBeGreaterThan(499)
    expect(twice.looks / once.looks).toBeLessThan(2.1)
    expect(twice.longest).toBeLessThanOrEqual(once.longest)
  })

  it("is refused by name where there is none", async () => {
    await expect(createReporter("yaml", LAYOUT)).rejects.toThrow(
      '--format takes table, json, ndjson, csv, xlsx, sarif, junit, github, rdjson, html, not "yaml"',
    )
  })

  it("is not mistaken for what every object has", async () => {
    await expect(createReporter("constructor", LAYOUT)).rejects.toThrow("--format takes")
  })
})

describe("table", () => {
  it("keeps to the width of the terminal", async () => {
    for (const columns of [60, 80, 120]) {
      const lines = (await written("table", RESULTS, SUMMARY, { ...LAYOUT, columns })).split("\n")
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns)
    }
  })

  it("needs no character beyond ASCII where the terminal has none", async () => {
    const plain = RESULTS.slice(0, 1)
    expect(await written("table", plain, SUMMARY, { ...LAYOUT, unicode: false })).toMatch(/^[\n -~]*$/)
  })

  it("colours errors red and warnings yellow", async () => {
    const text = await written("table", RESULTS, SUMMARY, { ...LAYOUT, colour: true })
    expect(text).toContain("\u001b[31merror\u001b[39m")
    expect(text).toContain("\u001b[33mwarning\u001b[39m")
  })

  const one = { ...NOTHING, documents: 1, valid: 1 }
  it("says of a single document that it is valid", async () => {
    const text = await written("table", [{ file: "INV-1.json", valid: true, findings: [] }], one)
    expect(text).toBe("INV-1.json: valid\n")
  })

  it("counts the warnings of a single document that is valid", async () => {
    const result = { file: "INV-1.json", valid: true, findings: FINDINGS.slice(2) }
    const text = await written("table", [result], { ...one, warnings: 1 })
    expect(text).toMatch(/\nINV-1\.json: valid, 1 warning\n$/)
  })

  const warned = (file: string) => ({ file, valid: true, findings: FINDINGS.slice(2) })
  const broken = (file: string) => ({ file, valid: false, findings: FINDINGS.slice(0, 1) })
  const orderOf = (text: string) => text.match(/^\w+\.json(?=:)/gm)
  const several = [warned("a.json"), broken("b.json"), warned("c.json"), broken("d.json")]

  it("shows the documents of several files that have errors first, as soon as they come", async () => {
    const reporter = await createReporter("table", LAYOUT, true)
    const early = several.flatMap((result) => [...reporter.document(result)]).join("")
    expect(orderOf(early)).toEqual(["b.json", "d.json"])
    const late = reporter.end({ ...NOTHING, documents: 4, valid: 2, invalid: 2 })
    expect(orderOf(late)).toEqual(["a.json", "c.json"])
    expect(late).toMatch(/\n4 documents in 0\.0 s: 2 valid, 2 not valid\n$/)
    expect(late).not.toContain("too many warnings")
  })

  it("keeps the order of a single input, and holds nothing back", async () => {
    const reporter = await createReporter("table", LAYOUT)
    const early = several.flatMap((result) => [...reporter.document(result)]).join("")
    expect(orderOf(early)).toEqual(["a.json", "b.json", "c.json", "d.json"])
    expect(orderOf(reporter.end({ ...NOTHING, documents: 4 }))).toBe(null)
  })

  it("holds back warnings up to a limit, and says so beyond it", () => {
    const one = [...createTableReporter(LAYOUT).document(warned("a.json"))].join("").length
    const reporter = createTableReporter(LAYOUT, true, one)
    const early = several.flatMap((result) => [...reporter.document(result)]).join("")
    expect(orderOf(early)).toEqual(["b.json", "c.json", "d.json"])
    const late = reporter.end({ ...NOTHING, documents: 4, valid: 2, invalid: 2 })
    expect(orderOf(late)).toEqual(["a.json"])
    expect(late).toContain(
      "\nThere are too many warnings to show them all last: some are among the errors.\n4 documents",
    )
  })

  it("shows no line of the source where it is not at hand", async () => {
    const reporter = await createReporter("table", LAYOUT)
    const result = { file: "INV-1.json", valid: false, findings: [finding()] }
    const text = [...reporter.document(result)].join("")
    expect(text.split("\n")).toHaveLength(5)
    expect(text).not.toContain("^")
  })

  it("shows no line of the source that is blank", async () => {
    const reporter = await createReporter("table", LAYOUT)
    const findings = [{ ...finding(), excerpt: "\n^" }]
    const text = [...reporter.document({ file: "INV-1.json", valid: false, findings })].join("")
    expect(text).not.toContain("^")
  })

  it("calls standard input by its name", async () => {
    expect(await writtenOf("table", {}, "-")).toContain("standard input:31:22")
  })

  it("says so when no document was found", async () => {
    expect(await written("table", [], NOTHING)).toBe("There is no invoice in the input.\n")
  })

  it("tells what could not be read when nothing could", async () => {
    const { unreadable } = SUMMARY
    const text = await written("table", [], { ...NOTHING, unreadable })
    expect(text).toBe("1 input could not be read:\n  outbox/lost.json: there is no such file\n")
  })
})

/** With null for what is not there. */
const ITEMS = RESULTS.map(({ file, index = null, valid, draft = false, findings }) => ({
  ...{ file, index, valid, draft },
  findings: findings.map((each) => ({ property: null, hint: null, fix: null, ...each })),
}))

describe("json", () => {
  it("holds the counts and the results", async () => {
    expect(JSON.parse(await written("json"))).toEqual({
      items: ITEMS,
      ...{ total: 5, nextOffset: null, valid: 3, invalid: 2, drafts: 0, warnings: [] },
      unreadable: SUMMARY.unreadable,
    })
  })

  it("is whole when there was no document", async () => {
    expect(JSON.parse(await written("json", [], NOTHING))).toEqual({
      items: [],
      ...{ total: 0, nextOffset: null, valid: 0, invalid: 0, drafts: 0, unreadable: [], warnings: [] },
    })
  })
})

describe("ndjson", () => {
  it("is one line for each document", async () => {
    const lines = (await written("ndjson")).trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line))).toEqual(ITEMS)
  })
})

describe("csv", () => {
  it("is one row for each finding", async () => {
    const rows = parse<Record<string, string>>(await written("csv"), { columns: true })
    const findings = RESULTS.flatMap(({ file, index, findings: found }) =>
      found.map((each) => ({ file, index: index === undefined ? "" : String(index), ...each })),
    )
    expect(rows.map(({ file, index, message }) => ({ file, index, message }))).toEqual(
      findings.map(({ file, index, message }) => ({ file, index, message })),
    )
  })

  it("keeps a spreadsheet from running what a document holds", async () => {
    const text = await writtenOf("csv", {
      property: '=HYPERLINK("http://x")',
      message: "+1",
      hint: "@SUM(1)",
    })
    const [row] = parse<Record<string, string>>(text, { columns: true })
    expect(row).toMatchObject({ property: `'=HYPERLINK("http://x")`, message: "'+1", hint: "'@SUM(1)" })
  })

  it("keeps a row in a line", async () => {
    expect((await writtenOf("csv", { message: "one\ntwo\r\nthree" })).trimEnd().split("\n")).toHaveLength(2)
  })
})

describe("github", () => {
  it("escapes what would end a command or a property", async () => {
    const text = await writtenOf("github", { message: "100%: a, b::c", hint: "" }, "a,b:c%.json")
    const [command] = text.split("\n")
    expect(command).toBe(
      "::error file=a%2Cb%3Ac%25.json,line=31,col=22,title=contract/multipleOf::100%25: a, b::c",
    )
  })

  it("keeps a command in a line", async () => {
    const text = await writtenOf("github", { message: "one\n::error::two" })
    expect(text.split("\n").filter((line) => line.startsWith("::"))).toHaveLength(1)
  })

  it("marks a warning as one", async () => {
    expect(await writtenOf("github", { severity: "warning" })).toMatch(/^::warning /)
  })
})

describe("junit", () => {
  it("escapes what XML would read as markup", async () => {
    const text = await writtenOf("junit", { message: `</failure>&"'` }, `<&"'>.json`)
    expect(text).toContain("&lt;/failure&gt;&amp;&quot;&apos;")
    expect(text).toContain('<testsuite name="&lt;&amp;&quot;&apos;&gt;.json"')
  })

  it("leaves out what XML cannot hold", async () => {
    const text = await writtenOf("junit", { message: "a\u0001b\uffffc\ud800d" })
    expect(text).toContain("a�b�c�d")
  })

  it("counts a suite's documents and failures", async () => {
    expect(await written("junit")).toContain(
      '<testsuite name="outbox/november list.json" tests="3" failures="1" errors="0">',
    )
  })

  it("keeps the warnings of a document that is valid out of the failures", async () => {
    const text = await writtenOf("junit", { severity: "warning" })
    expect(text).toContain("<system-out>")
    expect(text).not.toContain("<failure")
  })

  it("begins a further suite of the same name after a thousand documents, so that memory stays small", async () => {
    const results = Array.from({ length: 1001 }, (_, index) => ({
      file: "many.ndjson",
      index,
      valid: true,
      findings: [],
    }))
    const suites = (await written("junit", results, NOTHING)).match(/<testsuite .*>/g)
    expect(suites).toEqual([
      '<testsuite name="many.ndjson" tests="1000" failures="0" errors="0">',
      '<testsuite name="many.ndjson" tests="1" failures="0" errors="0">',
    ])
  })
})

describe("html", () => {
  it("loads nothing, runs nothing and names each place", async () => {
    const page = await written("html")
    expect(page).not.toMatch(/<script|<link|<img|<iframe|https?:|url\(|\son\w+=/i)
    expect(page).toContain(
      '<p class="place">line 31, column 22: <span class="red">error</span> contract/multipleOf</p>',
    )
    expect(page).toContain("<pre>        &quot;unitPrice&quot;: 1.00005,\n                     ^</pre>")
    expect(page).toContain('<p class="hint">round it to 1.0001</p>')
  })

  it("says of what can be fixed that --fix does it", async () => {
    const fix = { safety: "safe", edits: [{ offset: 0, length: 1, text: "1" }] } as const
    expect(await writtenOf("html", { fix: { ...fix, edits: [...fix.edits] } })).toContain("(--fix does this)")
    expect(await writtenOf("html", {})).not.toContain("(--fix does this)")
  })
})
