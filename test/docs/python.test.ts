/** The program in Python of docs/library.md as it stands there: a reply is lost, and the order is booked once. */
import { spawnSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { ownBooking } from "../acceptance/bookings.ts"
import { desk, ROOT } from "../acceptance/freight.ts"
import { ownSandbox } from "../acceptance/own-sandbox.ts"
import { bash, withFreightOnPath } from "../acceptance/shell.ts"

const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0

it.skipIf(!HAS_PYTHON)("the page's program in Python settles a lost reply, and books once", async () => {
  const page = await readFile(path.join(ROOT, "docs/library.md"), "utf8")
  const blocks = Array.from(page.matchAll(/^```python\n([\s\S]*?)^```$/gm), ([, block = ""]) => block)
  const program = blocks.find((block) => block.includes("subprocess")) ?? ""
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  const order = { ...ownBooking(), customerReference: "PO-1001", serviceCode: "76" }
  await writeFile(path.join(made.folder, "order.json"), JSON.stringify(order))
  await writeFile(path.join(made.folder, "night.py"), program)
  await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
  const { code, stdout, stderr } = await bash("python3 night.py", made.folder, await withFreightOnPath(made))
  const { shipments } = (await sandbox.control("books")) as { shipments: { id: string }[] }
  expect([code, stdout, stderr]).toEqual([0, `PO-1001 settled\n0 ${shipments[0]?.id}\n`, ""])
  expect(shipments).toHaveLength(1)
})
