/** Whole bookings at a real terminal, against the embedded sandbox. */
import { execFileSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { ownBooking } from "./bookings.ts"
import { hasTerminal, sitDown } from "./pty.ts"
import { AFTER, enters, QUESTIONS, take, type Turn, wizardDesk } from "./wizard.ts"

const ADDRESS = "Harbour Lighting, 14 Bourke Road, Alexandria NSW 2015"

describe.runIf(hasTerminal)("freight book at a terminal", () => {
  it("gives a newcomer a label for eleven Enters", async () => {
    expect(QUESTIONS.length).toBeLessThanOrEqual(11)
    const made = await wizardDesk()
    const before = await made.total()
    const seat = await made.sit()
    await take(seat, enters(0))
    await seat.see("? Print the label?")
    expect(await seat.scrollback()).toMatch(/Label: \S+/)
    await take(seat, AFTER)
    expect(await seat.exit).toBe(0)
    const all = await seat.scrollback()
    expect(all).toMatch(/^This is the sandbox: nothing is real, and nothing is charged\./)
    expect(all).toMatch(/Booked: shipment \S+\./)
    expect(all).toMatch(/Consignment SBC\d+/)
    expect(all).toMatch(
      /No pickup is booked: unless the carrier comes anyway, the goods are not\s+collected\./,
    )
    expect(all).toMatch(/To have it collected later: freight pickup book --sandbox SBC\d+/)
    expect(all).toContain("Shipment")
    const [, number = ""] = /Consignment (SBC\d+)/.exec(all) ?? []
    const [entry] = (await made.freight(["history", "--sandbox", "--json"])).items<object>()
    expect(entry).toMatchObject({ consignmentNumber: number })
    const label = /Label: (\S+\.pdf)/.exec(all.replace(/\n/g, ""))?.[1]
    expect(label).toBeDefined()
    expect(await made.total()).toBe(before + 1)
    expect(await made.drafts()).toBe(0)
  })

  it("leaves on the screen what was answered before Esc", async () => {
    const made = await wizardDesk()
    const seat = await made.sitFast()
    await take(seat, [...enters(0, 2), ["? Packages", "escape"], ["? Who receives it?"]])
    expect(await seat.screen()).toMatch(/✔ Who sends it\? [^\n]*\n✔ Who receives it\?/)
    expect(await seat.screen()).not.toContain("? Packages")
    seat.press("ctrl-c")
    await seat.exit
  })

  it("ends with a command that makes the same request", async () => {
    const made = await wizardDesk()
    const seat = await made.sitFast()
    await take(seat, [...enters(0), ...AFTER])
    expect(await seat.exit).toBe(0)
    const line =
      seat
        .raw()
        .match(/freight book --sandbox --like .*/)?.[0]
        ?.trim() ?? ""
    const words = execFileSync("sh", ["-c", `printf '%s\\n' ${line}`], { encoding: "utf8" })
      .trimEnd()
      .split("\n")
    const again = await made.freight([...words.slice(1), "--ready", "tomorrow 10am", "--dry-run"])
    expect(again.code, again.stderr).toBe(0)
    const { sender, receiver } = exampleBooking(Date.now())
    expect(again.json()).toMatchObject({ sender, collection: sender, receiver, serviceCode: "STD" })
  })

  it("is brought back by its reference, and never called by the key that freight made up", async () => {
    const made = await wizardDesk()
    const seat = await made.sitFast(["--reference", "PO-12"])
    await take(seat, [...enters(0, 9), ...enters(10), ...AFTER])
    expect(await seat.exit).toBe(0)
    const back = ["book", "--sandbox", "--return-of", "PO-12", "--service", "cheapest"]
    const { code, stdout, stderr } = await made.freight([
      ...back,
      "--ready",
      "tomorrow 10am",
      "--close",
      "17:00",
      "--dry-run",
    ])
    expect(code, stderr).toBe(0)
    expect(stderr).toContain("The return of PO-12, booked")
    expect(`${stdout}${stderr}`).not.toContain("wizard-")
  })

  it("asks only for what its flags leave out", async () => {
    const made = await wizardDesk()
    const perth = [
      "companyName=Port",
      "address1=8 Market Street",
      "suburb=Fremantle",
      "state=WA",
      "postcode=6160",
    ]
    const sets = perth.flatMap((set) => ["--set", set])
    expect((await made.freight(["address", "add", "perth", ...sets])).code).toBe(0)
    const seat = await made.sitFast(["--sender", "perth", "--receiver", "perth", "--package", "10x10x10@1"])
    await take(seat, [...enters(3), ...AFTER])
    expect(await seat.exit).toBe(0)
    expect(await seat.scrollback()).not.toContain("Who sends it?")
  })

  // At every question between: `test/orders/wizard/walk.test.ts`.
  it("loses nothing to Ctrl-C at the last question, keeps nothing of the first, and --resume asks the last one next", async () => {
    const made = await wizardDesk()
    const before = await made.total()
    const first = await made.sitFast()
    await take(first, [[QUESTIONS[0], "ctrl-c"]])
    expect(await first.exit).toBe(130)
    expect(await made.drafts()).toBe(0)
    const left = await made.sitFast()
    await take(left, [...enters(0, 10), [QUESTIONS[10], "ctrl-c"]])
    expect(await left.exit).toBe(130)
    expect(await left.screen()).toContain("Your answers are kept: freight book --resume --sandbox")
    expect(await made.total()).toBe(before)
    // A draft knows where it was begun.
    const last = await sitDown(["book", "--resume"], made.env)
    await take(last, [...enters(10), ...AFTER])
    expect(await last.exit).toBe(0)
    expect(await last.scrollback()).toContain("This is the sandbox: nothing is real")
    expect(await last.scrollback()).toContain("freight track --sandbox")
    const nothing = await sitDown(["book", "--resume"], made.env)
    expect(await nothing.exit).toBe(2)
    expect(await nothing.screen()).toContain("there is no unfinished booking")
    expect(await made.total()).toBe(before + 1)
    expect(await made.drafts()).toBe(0)
  })

  it.each<[string, Turn[]]>([
    [
      "at the company",
      [
        ["? Who sends it?", "down", "enter"],
        ["? Company", { type: ADDRESS }, "enter"],
      ],
    ],
    ["at the first question", [["? Who sends it?", { type: ADDRESS }, "enter"]]],
  ])("keeps an address that was typed in one line %s, and not yet confirmed", async (_, typed) => {
    const made = await wizardDesk()
    const first = await made.sitFast()
    await take(first, [...typed, [/2015:\s+right\?/, "ctrl-c"]])
    expect(await first.exit).toBe(130)
    expect(await first.screen()).toContain("Your answers are kept")
    const second = await made.sitFast(["--resume"])
    await take(second, [
      ["? Company", "enter"],
      [/2015:\s+right\?/, "enter"],
      ["? Save this address", "ctrl-c"],
    ])
    expect(await second.exit).toBe(130)
  })

  it("offers what was not finished the next time, and begins a new one when told so", async () => {
    const made = await wizardDesk()
    const first = await made.sitFast()
    await take(first, [...enters(0, 4), ["? Are there dangerous goods", "ctrl-c"]])
    expect(await first.exit).toBe(130)
    const second = await made.sitFast()
    await take(second, [
      [
        /unfinished\s+booking:\s+Harbour\s+Lighting\s+Pty\s+Ltd\s+→\s+Port\s+Street\s+Fittings,\s+2\s+cartons,\s+from/,
        "down",
        "down",
        "enter",
      ],
      ["? Who sends it?", "ctrl-c"],
    ])
    expect(await second.exit).toBe(130)
    expect(await made.drafts()).toBe(0)
  })

  it("does not offer what was not finished where a file is named, which is an order of its own", async () => {
    const made = await wizardDesk()
    const first = await made.sitFast()
    await take(first, [...enters(0, 4), ["? Are there dangerous goods", "ctrl-c"]])
    expect(await first.exit).toBe(130)
    const file = path.join(made.folder, "booking.json")
    await writeFile(file, JSON.stringify({ customerReference: "PO-8" }))
    const second = await made.sitFast(["--file", file])
    await take(second, [["? Who sends it?", "ctrl-c"]])
    expect(await second.exit).toBe(130)
    expect(await second.scrollback()).not.toContain("unfinished")
    expect(await made.drafts()).toBe(2)
  })

  it("does not offer it where an order is brought back, whose places and goods it would change", async () => {
    const made = await wizardDesk()
    const file = path.join(made.folder, "booking.json")
    const { serviceCode: _, ...booking } = ownBooking()
    await writeFile(file, JSON.stringify(booking))
    const booked = ["book", "--sandbox", "--file", file, "--service", "cheapest", "--yes", "--json"]
    const { shipmentId } = (await made.freight(booked)).json<{ shipmentId: string }>()
    const first = await made.sitFast()
    await take(first, [
      ["? What do you want to book?", "down", "enter"],
      ...enters(0, 4),
      ["? Are there dangerous goods", "ctrl-c"],
    ])
    expect(await first.exit).toBe(130)
    const second = await made.sitFast(["--return-of", shipmentId])
    await take(second, [["? ", "ctrl-c"]])
    expect(await second.exit).toBe(130)
    expect(await second.scrollback()).not.toContain("unfinished")
    for (const begun of [["--return-of", shipmentId], ["--like", shipmentId], ["--file", file], ["--last"]]) {
      const both = await made.sitFast([...begun, "--resume"])
      expect(await both.exit).toBe(2)
      expect(await both.screen()).toContain(`${begun[0]} begins a booking, and --resume continues one`)
    }
  })

  it("keeps the answers when the window is closed", async () => {
    const made = await wizardDesk()
    const first = await made.sitFast()
    await take(first, [...enters(0, 2), ["? Packages"]])
    await first.hangUp()
    const second = await made.sitFast(["--resume"])
    await take(second, [["? Packages", "ctrl-c"]])
    expect(await second.exit).toBe(130)
  })

  it("keeps the answers of a booking that the carrier refuses, and ends with its code", async () => {
    const made = await wizardDesk()
    const seat = await made.sitFast(["--reference", "sandbox:carrier-rejects"])
    await take(seat, [...enters(0, 9), ...enters(10)])
    expect(await seat.exit).toBe(1)
    const screen = await seat.screen()
    expect(screen).toContain("does not accept the request")
    expect(screen).toContain("Your answers are kept: freight book --resume --sandbox")
    const again = await made.sitFast(["--resume", "--reference", "PO-7"])
    await take(again, [...enters(10), ...AFTER])
    expect(await again.exit).toBe(0)
  })

  it("asks before it books the same a second time", async () => {
    const made = await wizardDesk()
    const first = await made.sitFast()
    await take(first, [...enters(0), ...AFTER])
    expect(await first.exit).toBe(0)
    const before = await made.total()
    const second = await made.sitFast()
    await take(second, [
      ["? What do you want to book?", "down", "enter"],
      ...enters(0),
      ["Book a second one?", "enter"],
    ])
    expect(await second.exit).toBe(1)
    expect(await made.total()).toBe(before)
  })

  it("ends with a booking file and the command that do the same again", async () => {
    const made = await wizardDesk()
    const file = path.join(made.folder, "it's again.json")
    const seat = await made.sitFast(["--pickup"])
    await take(seat, [
      ...enters(0),
      ["? Print the label?", "enter"],
      ["? Save it as a booking file", { type: "y" }, "enter"],
      ["? File name", "ctrl-u", { type: file }, "enter"],
    ])
    expect(await seat.exit).toBe(0)
    expect(seat.raw()).not.toContain("--like")
    const request = JSON.parse(await readFile(file, "utf8")) as ConsignmentBookingRequest
    expect(request).not.toHaveProperty("rateId")
    const command = seat
      .raw()
      .match(/freight book --sandbox --file .*/)?.[0]
      ?.trim()
    expect(command).toContain("--connector connector-c --wait --label --pickup")
    const again = await made.freight([
      "book",
      "--sandbox",
      "--file",
      file,
      "--ready",
      "tomorrow 10am",
      "--connector",
      "connector-c",
      "--dry-run",
    ])
    expect(again.code, again.stderr).toBe(0)
    expect(request).not.toHaveProperty("collectionDateTime")
    expect(request).not.toHaveProperty("customerReference")
    expect(seat.raw().replaceAll(/\s+/g, " ")).toContain("Its reference, times and rate are left out.")
    expect(again.json()).toMatchObject({ ...request, items: { count: 2 } })
  })
})
