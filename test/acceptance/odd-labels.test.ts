/** Labels that are legal PDFs or nearly: whatever reads them goes on without, or says which one it cannot read. */
import { readFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { PDFDocument } from "@cantoo/pdf-lib"
import { picturesOfPage, textsOfPage } from "../reports/evidence/page.ts"
import { DRAWN, NOT_DRAWN, UNREADABLE } from "../output/paper/odd-pdfs.ts"
import { altered } from "./altered.ts"
import { booked } from "./bookings.ts"
import { desk } from "./freight.ts"
import { type RunningSandbox, startSandboxHere } from "./sandbox.ts"

let sandbox: RunningSandbox
let usual: string
beforeAll(async () => {
  sandbox = await startSandboxHere()
  usual = (await booked(sandbox, "connector-b")).shipmentId
})
afterAll(() => sandbox.stop())

const table = Object.entries({ DRAWN, NOT_DRAWN, UNREADABLE }).flatMap(([kind, labels]) =>
  Object.entries(labels).map(([name, label]) => ({ name, label, kind })),
)

it.each(table)("a label with $name", async ({ label, kind }) => {
  const { freight, folder } = await desk(
    await altered(sandbox, (reply) => {
      if (reply.path.endsWith("/demo-shipment/label")) reply.body = label
    }),
  )
  const read = (file: string) => readFile(path.join(folder, file))

  const { code, stderr } = await freight(["evidence", "demo-shipment", "-o", "evidence.pdf"])
  expect(code, stderr).toBe(0)
  const page = await read("evidence.pdf")
  expect(await picturesOfPage(page)).toBe(kind === "DRAWN" ? 1 : 0)
  expect((await textsOfPage(page)).join(" ").includes("but it cannot be drawn")).toBe(kind !== "DRAWN")
  expect(stderr.includes("warning: the label cannot be drawn, so the page is without it")).toBe(
    kind !== "DRAWN",
  )

  const merged = await freight(["label", "demo-shipment", usual, "--merge", "labels.pdf"])
  if (kind === "UNREADABLE") {
    expect(merged.code).toBe(6)
    expect(merged.stderr).toContain("the label of shipment demo-shipment cannot be merged")
  } else expect((await PDFDocument.load(await read("labels.pdf"))).getPageCount()).toBe(2)
})
