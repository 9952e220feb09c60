/** Names that every JavaScript object has are names like others: wherever one may be given, freight answers as for `nosuch`. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"

const NAMES = ["constructor", "__proto__", "toString", "hasOwnProperty"]
const LANE = ["--from", "Sydney NSW 2000", "--to", "Perth WA 6000", "--package", "1x10x10x10@1"]
const PLAN = ["batch", "book", "orders.csv", "--dry-run"]

/** A command line for each place where a name comes from outside. */
const PLACES: readonly ((name: string) => string[])[] = [
  (name) => [name],
  (name) => [`--${name}`],
  (name) => ["help", name],
  (name) => ["batch", name],
  (name) => ["ledger", name],
  (name) => ["report", name],
  (name) => ["config", "get", name],
  (name) => ["config", "set", name, "1"],
  (name) => ["config", "unset", name],
  (name) => ["config", "list", "--profile", name],
  (name) => ["profile", "use", name],
  (name) => ["profile", "remove", name],
  (name) => ["auth", "status", "--profile", name],
  (name) => ["connectors", "--fields", name, "--json"],
  (name) => ["connectors", "--fields", name],
  (name) => ["connectors", "--format", name],
  (name) => ["completion", name],
  (name) => ["sandbox", "start", "--fault", name],
  (name) => ["sandbox", "start", "--fault", `${name}:1`],
  (name) => ["package", "add", name, "40x30x20@5"],
  (name) => ["package", "remove", name],
  (name) => ["address", "remove", name],
  (name) => ["party", "remove", name],
  (name) => ["book", "--sender", name],
  (name) => ["book", "--package", name],
  (name) => ["book", "--package", `2x${name}`],
  (name) => ["book", "--payer", name],
  (name) => ["book", "--packaging", name],
  (name) => ["book", "--set", `${name}=1`],
  (name) => ["book", "--set", `${name}.x=1`],
  (name) => ["book", "--set", `sender.${name}=1`],
  (name) => ["book", "--set", `packages.0.${name}.x=1`],
  (name) => ["book", "--like", name],
  () => ["book", "--file", "object.json"],
  (name) => ["book", "--connector", name, "--service", name, ...LANE],
  (name) => ["rate-shop", ...LANE.with(1, `${name} NSW 2000`)],
  (name) => ["rate-shop", ...LANE, "--by", name],
  (name) => ["api", "GET", `/${name}`],
  (name) => ["api", name, "/connectors"],
  (name) => ["track", name, "--carrier", name],
  (name) => ["label", name],
  (name) => ["shipments", "show", name],
  (name) => ["pickup", "show", name],
  (name) => ["devices", "use", name],
  (name) => ["history", "--kind", name],
  (name) => ["reconcile", "--settle", `${name}=1`],
  (name) => [...PLAN, "--map", `${name}=reference`],
  (name) => [...PLAN, "--map", `Order=${name}`],
  (name) => [...PLAN, "--use-map", name],
  (name) => [...PLAN, "--include", name],
  (name) => [...PLAN, "--service", name],
  () => PLAN,
  () => ["batch", "book", "orders.ndjson", "--dry-run"],
  () => ["audit", "orders.csv"],
  (name) => ["audit", "orders.csv", "--map", `${name}=amount`],
  (name) => ["report", "spend", "--by", name],
  () => ["invoice", "validate", "object.json"],
  () => ["invoice", "validate", "object.json", "--fix"],
  () => ["invoice", "show", "object.json"],
  () => ["invoice", "show", "contact.json"],
  () => ["invoice", "list", "object.json"],
  (name) => ["invoice", "validate", "object.json", "--rule-level", name],
  (name) => ["invoice", "validate", "object.json", "--format", name],
  (name) => ["invoice", "rules", name],
  (name) => ["invoice", "new", "--lines-from", "orders.csv", "--map", `${name}=quantity`],
  (name) => ["invoice", "new", "--supplier", name],
]

describe.each(NAMES)("%s as a name", (name) => {
  it("is none that freight knows, wherever it is given", async () => {
    const { freight, folder } = await desk()
    const save = (file: string, text: string) => writeFile(path.join(folder, file), text)
    await save(
      "orders.csv",
      `Order,Company,Street,Suburb,State,Postcode,Qty,Length,Width,Height,Weight,${name}\n${name},Pumps,8 Smith Street,Darwin,NT,0800,2,40,30,20,5.5,${name}\n`,
    )
    await save("orders.ndjson", `{"${name}":{"x":1},"reference":"${name}"}\n`)
    await save("object.json", `{"${name}":{"${name}":1},"sender":{"${name}":"x"}}`)
    await save("contact.json", `{"data":{"contacts":[{"role":"${name}","name":"Kim"}],"${name}":{}}}`)
    const before = Object.keys(Object.prototype)
    for (const place of PLACES) {
      const words = place(name)
      const isOfService = words[0] !== "profile"
      const { code, stdout, stderr } = await freight([...words, ...(isOfService ? ["--sandbox"] : [])])
      expect([0, 1, 2, 4, 5], `${words.join(" ")}\n${stderr}`).toContain(code)
      expect(stdout + stderr, words.join(" ")).not.toMatch(/\[native code\]|\[object |fault in freight/)
    }
    expect(Object.keys(Object.prototype)).toEqual(before)
    expect(Object.hasOwn({}, "x") || "x" in {}).toBe(false)
  })
})

it("a package may have such a name, where it begins with a letter", async () => {
  const { freight } = await desk()
  const names = NAMES.filter((name) => name !== "__proto__")
  for (const name of names) {
    const { code, stderr } = await freight(["package", "add", name, "40x30x20@5"])
    expect(code, stderr).toBe(0)
    const used = await freight(["rate-shop", "--sandbox", ...LANE.with(5, `2x${name}`)])
    expect(used.code, used.stderr).toBe(0)
  }
  const { stdout } = await freight(["package", "list", "--format", "csv"])
  for (const name of names) expect(stdout).toContain(name)
})
