/** The menu for a person who double-clicks freight on Windows, or drops a file on it. */
import { readdirSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { drawLines } from "../bills/pdfs.ts"
import { textOf, minimalInvoice } from "../invoice/samples.ts"
import { ENTER, LEAVE, type Line, scripted } from "../orders/wizard/scripted.ts"
import { desk } from "./freight.ts"
import { order, saveOrders } from "./orders.ts"

/** Full paths are those of the machine that runs the test. */
const FROM_DESKTOP = { platform: "win32", startedBy: () => "explorer.exe" }

async function start(lines: readonly Line[], argv: readonly string[] = [], host = FROM_DESKTOP) {
  const made = await desk()
  await writeFile(path.join(made.folder, "invoice.json"), textOf(minimalInvoice()))
  for (const name of ["monday", "tuesday"]) {
    const orders = await saveOrders(made.folder, [order(`MENU-${name}`)])
    await rename(path.join(made.folder, orders), path.join(made.folder, `${name}.csv`))
  }
  const bill = [
    ["Consignment", "Amount ex GST"],
    ["SBM00000001", "63.90"],
    ["Total ex GST", "63.90"],
  ].map(([first = "", second = ""]) => [[first, 40] as const, [second, 300] as const])
  await writeFile(path.join(made.folder, "bill.pdf"), await drawLines(bill))
  const conversation = scripted(lines)
  const ran = await made.freight(
    argv.map((name) => path.join(made.folder, name)),
    { columns: 80, host: { ...host, converse: async () => conversation } },
  )
  return { ...ran, ...conversation, folder: made.folder }
}

describe("started from the desktop", () => {
  it("asks what to do, does it, and asks again until the window is closed", async () => {
    const { code, stdout, asked, left } = await start([
      ["What do you want to do?", "Check invoices"],
      ["The invoice file", "invoice.json"],
      ["What do you want to do?", "Close this window"],
    ])
    expect(stdout).toContain("invoice.json: valid")
    expect({ code, left }).toEqual({ code: 0, left: [] })
    expect(asked[0]?.choices).toEqual([
      "Book a consignment",
      "Book a file of orders",
      "Check invoices",
      "Audit a carrier's bill",
      "Close this window",
    ])
  })

  it("takes a file that is dragged into the window, and says that one is not there", async () => {
    const { refusals, stdout } = await start([
      ["What do you want to do?", "Check invoices"],
      ["The invoice file", "nowhere.json"],
      ["The invoice file", '"invoice.json"'],
      ["What do you want to do?", "Close this window"],
    ])
    expect(refusals).toEqual(["there is no such file"])
    expect(stdout).toContain("invoice.json: valid")
  })

  it.each(["orders.csv", "orders.xlsx"])("takes a dropped %s for a file of orders at first", async (name) => {
    const { code, left } = await start(
      [
        [`What is ${name}?`, ENTER],
        ["No account is signed in", LEAVE],
      ],
      [name],
    )
    expect({ code, left }).toEqual({ code: 130, left: [] })
  })

  it("takes a dropped JSON file for an invoice at first", async () => {
    const { stdout } = await start(
      [
        ["What is invoice.json?", ENTER],
        ["What do you want to do?", "Close this window"],
      ],
      ["invoice.json"],
    )
    expect(stdout).toContain("invoice.json: valid")
  })

  it("takes a dropped PDF for a carrier's bill at first, and audits it", async () => {
    const { left, stderr, stdout } = await start(
      [
        ["What is bill.pdf?", ENTER],
        ["No account is signed in", "Try it in the sandbox"],
        ["What do you want to do?", "Close this window"],
      ],
      ["bill.pdf"],
    )
    expect(left, stderr).toEqual([])
    expect(stdout).toContain("1 consignment")
  })

  it("takes one dropped file after the other", async () => {
    const { stdout, left } = await start(
      [
        ["What is invoice.json?", ENTER],
        ["What is other.json?", "Check invoices"],
        ["What do you want to do?", "Close this window"],
      ],
      ["invoice.json", "other.json"],
    )
    expect(stdout).toContain("invoice.json: valid")
    expect(stdout).toContain("other.json")
    expect(left).toEqual([])
  })

  it("keeps the labels of each file of orders, in the folder of that file", async () => {
    const { stderr, left, folder } = await start(
      [
        ["What is monday.csv?", "Book a file of orders"],
        ["No account is signed in", "Try it in the sandbox"],
        ["Book 1 consignment", true],
        ["What is tuesday.csv?", "Book a file of orders"],
        ["No account is signed in", "Try it in the sandbox"],
        ["Book 1 consignment", true],
        ["What do you want to do?", "Close this window"],
      ],
      ["monday.csv", "tuesday.csv"],
    )
    expect(left, stderr).toEqual([])
    expect(
      readdirSync(folder)
        .filter((name) => /labels/.test(name))
        .sort(),
    ).toEqual(["labels", "monday.labels.pdf", "tuesday.labels.pdf"])
  })

  it("offers the sandbox and signing in where there is no account", async () => {
    const { stderr, code, left } = await start(
      [
        ["What is orders.csv?", "Book a file of orders"],
        ["No account is signed in", "Try it in the sandbox"],
        ["What do you want to do?", "Close this window"],
      ],
      ["orders.csv"],
    )
    expect(stderr).toContain("orders.csv")
    expect({ code, left }).toEqual({ code: 2, left: [] })
  })
})

it.each([
  ["a shell", { ...FROM_DESKTOP, startedBy: () => "powershell.exe" }],
  ["what cannot be told", { ...FROM_DESKTOP, startedBy: () => "" }],
  ["Linux", { ...FROM_DESKTOP, platform: "linux" }],
])("freight started by %s asks nothing", async (_, host) => {
  const { stdout, asked } = await start([], [], host)
  expect(stdout).toContain("freight --help lists every command.")
  expect(asked).toEqual([])
})
