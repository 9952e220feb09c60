/** On a terminal, commands ask for what is missing with the wizard's own questions; elsewhere they fail as ever. */
import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"
import { hasTerminal, type Seat, sitDown } from "./pty.ts"
import { take, type Turn, wizardDesk } from "./wizard.ts"

const ended = async (seat: Seat) => ({ code: await seat.exit, all: await seat.scrollback() })

describe.runIf(hasTerminal)("at a terminal", () => {
  it("rate-shop asks for places and packages", async () => {
    const { env } = await wizardDesk()
    const seat = await sitDown(["rate-shop", "--sandbox"], env)
    await take(seat, [
      ["? Where is it collected?", { type: "14 Bourke Road, Alexandria NSW 2015" }, "enter"],
      ["? Where does it go?", { type: "Fremantle 6160" }, "enter"],
      ["? Packages", "enter"],
      ["? Is either place a home?", "enter"],
    ])
    const { code, all } = await ended(seat)
    expect(code).toBe(0)
    expect(all).toContain("Book one by its number within 48 hours")
  })

  it("address add asks for the address and its name, and keeps what was set", async () => {
    const { env, freight } = await wizardDesk()
    const seat = await sitDown(["address", "add", "--set", "companyName=Corner Books"], env)
    await take(seat, [
      ["? Company", "enter"],
      ["? Street and number", { type: "8 Market Street" }, "enter"],
      ["? Unit", "enter"],
      ["? Suburb, state and postcode", { type: "Fremantle 6160" }, "enter"],
      ["? Contact person", "enter"],
      ["? Phone", "enter"],
      ["? Email", "enter"],
      ["? Save it as", { type: "corner" }, "enter"],
    ])
    expect((await ended(seat)).code).toBe(0)
    expect((await freight(["address", "list", "--json"])).items()).toMatchObject([
      { name: "corner", companyName: "Corner Books", suburb: "Fremantle", state: "WA" },
    ])
  })

  it("track and label ask which shipment, of those that were booked", async () => {
    const { env, freight } = await wizardDesk()
    const set = ["book", "--sandbox", "--example"]
    const booking = (await freight(set)).stdout
    const booked = await freight(
      ["book", "--sandbox", "--file", "-", "--reference", "SO-17", "--ready", "2031-02-28T10:00"],
      { input: booking },
    )
    expect(booked.code, booked.stderr).toBe(0)
    const tracked = await sitDown(["track", "--sandbox"], env)
    await take(tracked, [
      ["? Which shipment do you want to track?", { type: "so-1" }],
      [/❯ [^\n]*SO-17/, "enter"],
    ])
    expect((await ended(tracked)).code).toBe(0)
    const labelled = await sitDown(["label", "--sandbox"], env)
    await take(labelled, [["? Which shipment's label?"], [/❯ [^\n]*SO-17/, "enter"]])
    const { code, all } = await ended(labelled)
    expect(code, all).toBe(0)
    expect(all).toContain(".pdf")
    const collected = await sitDown(["pickup", "book", "--sandbox", "--dry-run"], env)
    await take(collected, [["? Which shipment should be collected?"], [/❯ [^\n]*SO-17/, "enter"]])
    const pickup = await ended(collected)
    expect(pickup.code, pickup.all).toBe(0)
    expect(pickup.all).toContain("2031-02-28")
  })

  it.each([
    ["account and service", [], [/Carrier A \(.*\): /, "enter"], '"serviceCode"'],
    ["service of the account", ["--connector", "connector-c"], [/Express \(EXP\)/, "enter"], '"serviceCode"'],
    ["time alone", ["--service", "76"], undefined, '"serviceCode": "76"'],
    ["no service of carrier B", ["--connector", "connector-b"], undefined, "/connector-b/pickups"],
  ] as [
    string,
    string[],
    Turn | undefined,
    string,
  ][])("pickup book asks for the %s of goods on their own", async (_, args, turn, request) => {
    const { env } = await wizardDesk()
    const from = ["--collection", "Harbour Lighting, 14 Bourke Road, Alexandria NSW 2015"]
    const seat = await sitDown(["pickup", "book", "--sandbox", "--dry-run", ...from, ...args], env)
    await take(seat, [
      ["? Who receives it?", "enter"],
      ["? Packages", "enter"],
      ...(turn ? [["? Which carrier should collect it"] as Turn, turn] : []),
      ["? When is it ready", "enter"],
      ["? When do the premises close?", "enter"],
    ])
    const { code, all } = await ended(seat)
    expect(code, all).toBe(0)
    expect(all).toContain('"readyTime"')
    expect(all).toContain(request)
  })
})

describe("without a terminal", () => {
  it.each([
    [["rate-shop"], "--from"],
    [["address", "add"], "NAME"],
    [["track"], "freight track needs CONSIGNMENT"],
    [["label"], "freight label needs SHIPMENT"],
    [["pickup", "book"], "which shipment? freight pickup book SHIPMENT"],
  ])("%j fails as ever", async (args, words) => {
    const { freight } = await desk()
    const { code, stderr } = await freight([...args, "--sandbox"])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })
})
