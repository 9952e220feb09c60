/** Differences on Windows: names of files, folders, line ends, files that are open elsewhere, and what it has not. */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import type { BookingResponse } from "../../src/contract/generated/types.ts"
import { bookedBy } from "../acceptance/kills.ts"
import { csvOf, order } from "../acceptance/orders.ts"
import { minimalInvoice, textOf } from "../invoice/samples.ts"
import { bookingText, did, setUpWindows } from "./setup.ts"
import { HAS_WINDOWS, share, toDrive, type WindowsDesk } from "./windows.ts"

describe.skipIf(!HAS_WINDOWS)("on Windows", () => {
  const place = setUpWindows()
  const booksOf = async (reference: string) =>
    bookedBy(await place.sandbox.control("books")).get(reference)?.length ?? 0

  /** A desk where `booking.json` waits. */
  function deskWith(reference: string): WindowsDesk {
    const desk = place.windows.desk(place.sandbox)
    desk.write("booking.json", bookingText(reference))
    return desk
  }
  /** The environment of a program that loads a file of this folder first. */
  const requiring = (desk: WindowsDesk, name: string) => {
    const file = toDrive(path.join(import.meta.dirname, name)).replaceAll("\\", "/")
    return { NODE_OPTIONS: `${desk.env.NODE_OPTIONS} --require "${file}"` }
  }
  /** Waits for a file that a program in Wine makes. */
  const untilThere = async (file: string) => {
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const book = (...more: string[]) => ["book", "--file", "booking.json", ...more]

  it("refuses names that Windows keeps for itself or cannot show, before anything is sent", async () => {
    const desk = deskWith("D-1")
    const before = readdirSync(desk.folder)
    for (const [name, why] of [
      ["CON.pdf", "Windows keeps the name CON.pdf for itself"],
      ["labels\\aux.pdf", "Windows keeps the name aux.pdf for itself"],
      ["label.pdf.", "no name may end in a dot or a blank"],
      ["label:1.pdf", "no name may contain"],
    ] as const) {
      const { code, stderr } = await desk.freight(book("--wait", "--label", name))
      expect({ name, code, stderr }).toEqual({ name, code: 2, stderr: expect.stringContaining(why) })
    }
    desk.write("orders.csv", csvOf([order("D-1")]))
    for (const words of [
      ["--labels", "out \\x"],
      ["--labels", "nul.d"],
      ["--merge", "a?.pdf"],
      ["--results", "prn.csv"],
    ]) {
      const { code, stderr } = await desk.freight(["batch", "book", "orders.csv", ...words])
      expect({ words, code, stderr }).toEqual({ words, code: 2, stderr: expect.stringContaining("indows") })
    }
    expect(await booksOf("D-1")).toBe(0)
    expect(readdirSync(desk.folder).filter((name) => name !== "orders.csv")).toEqual(before)
  })

  it("names labels so that Windows takes them, also where only the case differs, and writes nothing into NUL", async () => {
    const desk = place.windows.desk(place.sandbox)
    const references = ["con", "PRN.1", "d/2\\x:y", "d-2", "D-2", "dot.", "Zoë"]
    // Two orders, as two spellings of a number are one order where its receiver is the same.
    const toRow = (reference: string, n: number) =>
      order(reference, { "receiver.address1": `${n + 1} Market Street` })
    desk.write("orders.csv", csvOf(references.map(toRow)))
    await did(desk, ["batch", "book", "orders.csv", "--labels", "labels"])
    const labels = readdirSync(path.join(desk.folder, "labels")).sort()
    expect(labels.map((name) => name.replace(/-[0-9a-f]{8}\.pdf$/, "-ID.pdf")).sort()).toEqual(
      [
        "D-2-ID.pdf",
        "Zoë.pdf",
        "d-2.pdf",
        "d_2_x_y.pdf",
        "dot.pdf",
        "label-PRN.1.pdf",
        "label-con.pdf",
      ].sort(),
    )
    await did(desk, ["label", "Zoë", "-o", "one.pdf"])
    // The same file, which freight wrote.
    await did(desk, ["label", "Zoë", "-o", "ONE.PDF"])
    await did(desk, ["label", "Zoë", "-o", "NUL"])
    expect(readdirSync(desk.folder).filter((name) => /one|nul/i.test(name))).toHaveLength(1)
    for (const pattern of ["a\\{reference}", "C:\\{reference}", "a/{reference}"]) {
      const { code, stderr } = await desk.freight(["label", "Zoë", "--label-name", pattern])
      expect([code, stderr]).toEqual([2, expect.stringContaining("without a folder")])
    }
  })

  it("takes drive letters, shares and long paths, for files and for the ledger", async () => {
    const desk = deskWith("D-3")
    const unc = share("server", "share", desk.folder)
    const deep = ["d", "e", "f"].map((letter) => letter.repeat(99))
    mkdirSync(path.join(desk.folder, ...deep), { recursive: true })
    copyFileSync(path.join(desk.folder, "booking.json"), path.join(desk.folder, ...deep, "booking.json"))
    const far = [desk.home, ...deep].join("\\")
    const words = ["--key", "D-3", "--json"]
    const first = await did(desk, book(...words))
    const { shipmentId } = first.json<BookingResponse>()
    const ledger = { env: { FREIGHT_STATE_DIR: undefined, LOCALAPPDATA: `${unc}\\AppData\\Local` } }
    for (const [file, run] of [
      [`${desk.home.replace("C:", "c:")}\\booking.json`, {}],
      [`${unc}\\booking.json`, {}],
      [`${unc}\\booking.json`, ledger],
      [`${far}\\booking.json`, {}],
    ] as const) {
      const again = await did(desk, ["book", "--file", file, ...words], run)
      expect([file, again.json<BookingResponse>().shipmentId]).toEqual([file, shipmentId])
    }
    for (const [folder, run] of [
      [`${unc}\\new`, {}],
      [far, {}],
      ["C:else", { cwd: desk.home }],
    ] as const)
      await did(desk, ["label", "D-3", "-o", `${folder}\\label.pdf`], run)
    for (const folder of ["new", "else", deep.join("/")])
      expect(readdirSync(path.join(desk.folder, folder))).toContain("label.pdf")
    // A ledger whose path is longer than 260 letters.
    const away = { env: { FREIGHT_STATE_DIR: `${far}\\state` } }
    desk.write("booking.json", bookingText("D-3-far"))
    const there = await did(desk, book("--key", "D-3-far", "--json"), away)
    const kept = await did(desk, book("--key", "D-3-far", "--json"), away)
    expect(kept.json<BookingResponse>().shipmentId).toBe(there.json<BookingResponse>().shipmentId)
    expect(existsSync(path.join(desk.folder, ...deep, "state/ledger.db"))).toBe(true)
  })

  it("reads what Windows's programs write: CRLF, a mark, and the UTF-16 of PowerShell's >", async () => {
    const desk = deskWith("D-4")
    await did(desk, book("--key", "D-4"))
    const example = (await did(desk, ["book", "--example"])).stdout
      .replaceAll("\n", "\r\n")
      .replace(/EXAMPLE-\d+/, "D-4b")
    desk.write("example.json", Buffer.from(`\ufeff${example}`, "utf16le"))
    const dry = await did(desk, [
      "book",
      "--file",
      "example.json",
      "--dry-run",
      "--connector",
      "connector-b",
      "--service",
      "GEN",
    ])
    expect(JSON.parse(dry.stdout).receiver).toMatchObject({ suburb: "Fremantle", state: "WA" })
    const refused = await desk.freight(["book", "--file", "example.json", "--set", "receiver.postcode=1"])
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("example.json: the booking is"),
    ])
    const list = await did(desk, ["label", "-", "--dir", "labels"], { input: "\ufeffD-4\r\n\r\n" })
    expect(list.stderr).not.toContain("error")
    expect(readdirSync(path.join(desk.folder, "labels"))).toEqual(["D-4.pdf"])
    // An invoice goes to others as it is.
    desk.write("invoice.json", Buffer.from(`\ufeff${textOf(minimalInvoice())}`, "utf16le"))
    const invoice = await desk.freight(["invoice", "validate", "invoice.json"])
    expect([invoice.code, invoice.stdout]).toEqual([1, expect.stringContaining("this is UTF-16, not UTF-8")])
  })

  it("waits a moment for a file that another program has open, and then says which in one sentence", async () => {
    const desk = deskWith("D-5")
    const words = book("--key", "D-5", "--json", "--label", "label.pdf", "--wait")
    await did(desk, ["config", "set", "within", "30"])
    const held = "another program has it open"
    const holding = async (name: string, args: readonly string[], what: RegExp, code = 2) => {
      const release = await place.windows.hold(`${desk.home}\\${name}`)
      try {
        const ran = await desk.freight(args)
        const { stderr } = ran
        expect({ name, code: ran.code, stderr }).toEqual({ name, code, stderr: expect.stringMatching(what) })
        expect(stderr.split(held)).toHaveLength(2)
      } finally {
        await release()
      }
    }
    await holding("booking.json", words, /cannot read booking\.json: /)
    await holding(
      "AppData\\Roaming\\freight\\config\\config.json",
      words,
      /the settings file .*config\.json cannot be read: /,
    )
    expect(await booksOf("D-5")).toBe(0)
    await did(desk, words)
    const ledger = "AppData\\Local\\freight\\state\\ledger.db"
    await holding(ledger, words, /the ledger in .*ledger\.db cannot be used: /, 6)
    await holding("label.pdf", ["label", "D-5", "-o", "label.pdf"], /cannot write label\.pdf: /)
    desk.write("invoice.json", textOf(minimalInvoice()))
    const release = await place.windows.hold(`${desk.home}\\invoice.json`)
    expect((await desk.freight(["invoice", "validate", "invoice.json"])).stdout).toContain(held)
    await release()

    // A results file that stands open in Excel is told before anything is booked.
    desk.write("orders.csv", csvOf([order("D-5b")]))
    await did(desk, ["batch", "book", "orders.csv"])
    desk.write("orders.csv", csvOf([order("D-5b"), order("D-5c")]))
    await holding(
      "orders.results.csv",
      ["batch", "book", "orders.csv", "--json"],
      /cannot write orders\.results\.csv: /,
    )
    expect(await booksOf("D-5c")).toBe(0)

    // Held for a moment, as by a virus scanner.
    for (const name of ["booking.json", "label.pdf"]) {
      const free = await place.windows.hold(`${desk.home}\\${name}`)
      const env = { ...requiring(desk, "tell-held.cjs"), FREIGHT_TEST_HELD: `${desk.home}\\held-${name}` }
      const running = desk.freight(words, { env })
      await untilThere(path.join(desk.folder, `held-${name}`))
      await free()
      expect(await running).toMatchObject({ code: 0 })
    }
  })

  it("shows times by the zone that is set, half hours included", async () => {
    const desk = deskWith("D-6")
    await did(desk, book("--key", "D-6"))
    const sentIn = async (zone: string) => {
      const { stdout } = await did(desk, ["history", "--format", "csv", "--fields", "sentLocal"], {
        env: { TZ: zone },
      })
      return stdout.trim().split(/\r?\n/).at(-1) ?? ""
    }
    const [utc, adelaide] = [await sentIn("UTC"), await sentIn("Australia/Adelaide")]
    const minuteOf = (text: string) => Number(/:(\d\d)\b/.exec(text)?.[1])
    expect(minuteOf(utc)).not.toBeNaN()
    expect((minuteOf(adelaide) - minuteOf(utc) + 60) % 60).toBe(30)
  })

  it("ends as after Ctrl-C at Ctrl-Break", async () => {
    const desk = place.windows.desk(place.sandbox)
    const words = ["track", "--watch", "--sandbox", "DEMO-A-MOVING"]
    const { code, stderr } = await desk.freight(words, { env: requiring(desk, "break.cjs") })
    expect([code, stderr]).toEqual([130, expect.stringContaining("interrupted")])
  })

  it("ends at once where Windows ends it, and the next command goes on", async () => {
    const desk = deskWith("D-7")
    const sandbox = desk.start(["sandbox", "start", "--json"])
    onTestFinished(() => void sandbox.kill())
    await untilThere(path.join(desk.folder, "AppData/Local/freight/state"))
    expect(await sandbox.kill()).toBe(true)
    expect((await sandbox.ended).code).not.toBe(0)
    await did(desk, book("--key", "D-7"))
    expect(await booksOf("D-7")).toBe(1)
  })
})
