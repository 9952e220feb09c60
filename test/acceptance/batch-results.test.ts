/** Files that a batch may overwrite, and a file of orders that changes while freight waits. */
import { appendFile, readFile, symlink, utimes, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { errorOf, fresh, orderDesk } from "./batches.ts"
import { orders, saveOrders } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { hasTerminal, sitDown } from "./pty.ts"
import { take, told } from "./wizard.ts"

const sandbox = await fileSandbox()

const two = () => orderDesk(orders(2, fresh()), sandbox)

describe("the results of a batch", () => {
  it.each([
    "orders.csv",
    "./orders.csv",
    "../$/orders.csv",
    "link.csv",
  ])("do not take the place of the orders: %s", async (name) => {
    const { folder, book, booked } = await two()
    await symlink("orders.csv", path.join(folder, "link.csv"))
    const before = await readFile(path.join(folder, "orders.csv"), "utf8")
    const target = name.replace("$", path.basename(folder))
    for (const force of [[], ["--force"]]) {
      const ran = await book("--results", target, ...force)
      expect(ran.code).toBe(2)
      expect(errorOf(ran).message).toContain("which is read")
    }
    expect(await readFile(path.join(folder, "orders.csv"), "utf8")).toBe(before)
    expect(await booked()).toEqual([0, 0])
  })

  it("do not take the place of the plan that is booked", async () => {
    const { folder, freight, booked } = await two()
    expect((await freight(["batch", "plan", "orders.csv"])).code).toBe(0)
    const plan = await readFile(path.join(folder, "orders.plan.json"), "utf8")
    const words = ["batch", "book", "--plan", "orders.plan.json", "--json", "--results"]
    expect((await freight([...words, `${folder}/orders.plan.json`])).code).toBe(2)
    expect((await freight([...words.with(3, "-"), "orders.plan.json"], { input: plan })).code).toBe(2)
    expect(await readFile(path.join(folder, "orders.plan.json"), "utf8")).toBe(plan)
    expect(await booked()).toEqual([0, 0])
  })

  it.each([
    ["notes.csv", "customer,note\nA,call first\n"],
    ["empty-list.csv", "freight.state,freight.shipment,freight.error\n"],
    ["settings.json", '{"a":1}\n'],
    ["orders.results.csv", "my own list\n"],
  ])("do not take the place of %s without --force", async (name, text) => {
    const { folder, book, booked } = await two()
    const file = path.join(folder, name)
    await writeFile(file, text)
    const flags = name.startsWith("orders.") ? [] : ["--results", name]
    const ran = await book(...flags)
    expect(ran.code).toBe(2)
    expect(errorOf(ran).message).toBe(
      `${name} already exists, and is not a results file of these orders; nothing was sent`,
    )
    expect([await readFile(file, "utf8"), await booked()]).toEqual([text, [0, 0]])
    expect((await book(...flags, "--force")).code).toBe(0)
    expect(await readFile(file, "utf8")).toContain("booked")
  })

  it.each([
    "out.csv",
    "out.ndjson",
  ])("replace those of the same orders in %s, and no others'", async (name) => {
    const { folder, book, freight } = await two()
    expect((await book("--results", name)).code).toBe(0)
    expect((await book("--results", name)).code).toBe(0)
    await saveOrders(folder, orders(2, fresh()), "others.csv")
    const others = ["batch", "book", "others.csv", "--json", "--results", name]
    expect((await freight(others)).code).toBe(2)
    expect((await freight([...others, "--force"])).code).toBe(0)
  })

  it("results beside the orders replace those of another day", async () => {
    const { folder, book } = await two()
    expect((await book()).code).toBe(0)
    await saveOrders(folder, orders(2, fresh()))
    expect((await book()).code).toBe(0)
  })

  it("merged labels never replace another file", async () => {
    const { folder, book, booked } = await two()
    const before = await readFile(path.join(folder, "orders.csv"), "utf8")
    expect((await book("--merge", "orders.csv")).code).toBe(2)
    expect([await readFile(path.join(folder, "orders.csv"), "utf8"), await booked()]).toEqual([
      before,
      [0, 0],
    ])
  })
})

describe.runIf(hasTerminal)("a file of orders that changes while freight waits for the answer", () => {
  it.each([
    ["stops the batch", "\n", 2, [0, 0]],
    ["in its time alone does not", "", 0, [1, 1]],
  ])("%s", async (_, more, code, made) => {
    const { folder, env, booked } = await two()
    const seat = await sitDown(["batch", "book", "orders.csv"], env)
    await seat.see("Book 2 consignments for AUD")
    await appendFile(path.join(folder, "orders.csv"), more)
    await utimes(path.join(folder, "orders.csv"), 0, 0)
    await take(seat, [["(y/N)", { type: "y" }, "enter"]])
    expect(await seat.exit).toBe(code)
    if (code === 2)
      expect(await told(seat)).toContain("orders.csv was changed while freight checked it; nothing was sent")
    expect(await booked()).toEqual(made)
  })
})
