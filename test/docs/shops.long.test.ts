/** The morning of docs/shops.md: its lines run as they stand, in a folder with a shop's export. */
import { readFileSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { desk, ROOT } from "../acceptance/freight.ts"
import { ownSandbox } from "../acceptance/own-sandbox.ts"
import { bash, withFreightOnPath } from "../acceptance/shell.ts"

const EXPORT = `Order ID,Order Number,Order Status,Item Name,Item #,Shipping First Name,Shipping Last Name,Shipping Address 1,Shipping City,Shipping State,Shipping Postcode,Billing Postcode,Billing City
5001,5001,processing,Lamp,1,Ann,Lee,8 Market Street,Fremantle,WA,6160,6160,Fremantle
5002,5002,processing,Lamp,1,Bo,Ray,12 Market Street,Fremantle,WA,6160,6160,Fremantle
`
const WAREHOUSE = {
  ...{ companyName: "Harbour Lighting Pty Ltd", address1: "14 Bourke Road", suburb: "Alexandria" },
  ...{ state: "NSW", postcode: "2015", email: "dispatch@harbour-lighting.example" },
}

it("books a shop's orders in the morning, and gives the shop their numbers", async () => {
  const page = readFileSync(path.join(ROOT, "docs/shops.md"), "utf8")
  const [, script = ""] = /^## Back to the shop\n[\s\S]*?^```bash\n([\s\S]*?)^```$/m.exec(page) ?? []
  expect(script.trim().split("\n")).toHaveLength(6)
  const made = await desk(await ownSandbox())
  const env = await withFreightOnPath(made)
  await writeFile(path.join(made.folder, "orders.csv"), EXPORT)
  await writeFile(path.join(made.folder, "warehouse.json"), JSON.stringify(WAREHOUSE))
  const added = await made.freight(["address", "add", "warehouse", "--file", "warehouse.json"])
  expect(added.code, added.stderr).toBe(0)
  const ran = await bash(`set -e\n${script}`, made.folder, env)
  expect(ran.code, ran.stderr).toBe(0)
  const again = await readFile(path.join(made.folder, "tracking-3.csv"), "utf8")
  expect(again).toMatch(
    /^order_id,tracking_provider,tracking_number,date_shipped,status_shipped\n5001,(StarTrack|TNT|Toll),\w+,\d\d-\d\d-\d{4},1\n$/,
  )
})
