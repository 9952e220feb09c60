/** Whatever an invoice says stands on its page: on a terminal, as HTML and as a PDF. */
import { describe, expect, it } from "vitest"
import { put, type JsonObject } from "../../src/base/json.ts"
import { INVOICE, resolveSchema, type SchemaNode } from "../../src/invoice/schema.ts"
import { describeInvoice } from "../../src/invoice/show/page.ts"
import { readPages } from "../../src/input/pdf/pages.ts"
import { readJson } from "../../src/input/json/read.ts"
import { renderHtml } from "../../src/output/pages/html.ts"
import { renderPdf } from "../../src/output/pages/pdf.ts"
import { renderTerminal } from "../../src/output/pages/terminal.ts"
import { LAYOUT } from "./reported.ts"
import { fullInvoice } from "./samples.ts"

interface Leaf {
  path: readonly string[]
  node: SchemaNode
}

/** Each field that holds no other; of a list the first element's. */
function listLeaves(node: SchemaNode, path: readonly string[] = []): Leaf[] {
  const { properties, items } = node
  if (items) return listLeaves(resolveSchema(items), [...path, "0"])
  if (!properties) return [{ path, node }]
  return Object.entries(properties).flatMap(([name, each]) =>
    listLeaves(resolveSchema(each), [...path, name]),
  )
}

const LEAVES = listLeaves(INVOICE)
/** The service fills these in, or a program wrote them: a customer is told none of them. */
const isOfPrograms = ({ path: [first], node }: Leaf) => node["x-managed"] || first === "metadata"

/** A value that no other field has, and how a page shows it; nothing for one of several choices. */
function markOf({ node }: Leaf, index: number): { value: string | number; shown: string } | undefined {
  const unique = 301 + index
  if (node.enum || node.const || node.type === "boolean") return undefined
  if (node.format === "uuid")
    return { value: `00000000-0000-4000-8000-000000000${unique}`, shown: `000000000${unique}` }
  if (node.format === "date-time")
    return { value: `${2000 + unique}-01-02T00:00:00Z`, shown: `${2000 + unique}` }
  if (node.format === "date") return { value: `${2000 + unique}-01-02`, shown: `${2000 + unique}` }
  if (node.format === "email-or-empty")
    return { value: `q${unique}@x.example`, shown: `q${unique}@x.example` }
  if (node.type === "integer") return { value: unique, shown: `${unique}` }
  if (node.type === "number") return { value: unique + 0.25, shown: `${unique}.25` }
  return { value: `zq${unique}x`, shown: `zq${unique}x` }
}

const MARKED = fullInvoice() as unknown as JsonObject
const MARKS = LEAVES.flatMap((leaf, index) => {
  const mark = markOf(leaf, index)
  if (!mark) return []
  const path = leaf.node.type === "object" ? [...leaf.path, "costCentre"] : leaf.path
  put(MARKED, path, mark.value)
  return [{ ...leaf, path: path.join("."), shown: mark.shown, isOfPrograms: isOfPrograms(leaf) }]
})

const pageFor = (audience: "checker" | "customer", document: unknown = MARKED) =>
  describeInvoice(readJson(JSON.stringify(document)), audience)
const missingIn = (text: string, marks: readonly { path: string; shown: string }[]) =>
  marks.filter(({ shown }) => !text.includes(shown)).map(({ path }) => path)

describe("each field of an invoice", () => {
  it("is shown on a terminal", () => {
    expect(missingIn(renderTerminal(pageFor("checker"), { ...LAYOUT, columns: 1000 }), MARKS)).toEqual([])
  })

  const ofCustomers = MARKS.filter((mark) => !mark.isOfPrograms)

  it("is shown on the page that is sent, but for what programs fill in", () => {
    const page = renderHtml(pageFor("customer"))
    expect(missingIn(page, ofCustomers)).toEqual([])
    expect(missingIn(page, MARKS).length).toBe(MARKS.length - ofCustomers.length)
  })

  it("is drawn in the PDF that is sent, but for what programs fill in", async () => {
    const { pdf } = await renderPdf("invoice", [pageFor("customer")])
    const words: string[] = []
    await readPages(pdf, ({ lines }) => {
      for (const line of lines) words.push(JSON.stringify(line))
    })
    expect(missingIn(words.join(" "), ofCustomers)).toEqual([])
  })

  it("of several choices is shown in another way for each", () => {
    const changed = LEAVES.filter(({ node }) => (node.enum?.length ?? 0) > 1 || node.type === "boolean")
    for (const { path, node } of changed)
      for (const audience of ["checker", "customer"] as const) {
        if (audience === "customer" && path[0] === "metadata") continue
        const pages = (node.enum ?? [true, false]).map((value) => {
          const document = structuredClone(MARKED)
          put(document, path, value)
          return JSON.stringify(pageFor(audience, document), (key, each) =>
            key === "shows" ? undefined : each,
          )
        })
        expect([path.join("."), audience, new Set(pages).size]).toEqual([
          path.join("."),
          audience,
          pages.length,
        ])
      }
  })
})
