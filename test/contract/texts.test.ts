/** What is read from texts of people and of the contract: each module's functions, by a file of cases. */
import { expect, it } from "vitest"
import * as collectionTimes from "../../src/contract/collection-times.ts"
import * as contacts from "../../src/contract/contacts.ts"
import { readNumber, readSignedNumber } from "../../src/contract/fields/damage.ts"
import { applyPlainSets, applySets } from "../../src/contract/fields/sets.ts"
import { encodeFileName } from "../../src/base/file-names.ts"
import type { BookingAddress, Carrier, Package, Payer } from "../../src/contract/generated/types.ts"
import * as money from "../../src/base/money.ts"
import { matchName, shortId } from "../../src/base/names.ts"
import * as packages from "../../src/contract/packages.ts"
import { quoted, valueOrThrow } from "../../src/base/parsed.ts"
import { checkPayer, parsePayer } from "../../src/contract/payer.ts"
import * as places from "../../src/contract/places.ts"
import { safeText } from "../../src/base/safe-text.ts"
import { suggest } from "../../src/base/suggest.ts"
import * as clock from "../../src/base/wall-clock.ts"
import { parseDay, parseMoment } from "../../src/base/when.ts"
import * as placeZones from "../../src/contract/place-zones.ts"
import * as zones from "../../src/contract/zones.ts"
import { expectCalls } from "../cases.ts"
import { booking, sydney } from "./rule-examples.ts"

/** A Friday. */
const now = () => ({ year: 2026, month: 11, day: 20, hour: 10, minute: 20, second: 0 })
const at = (text: string) => valueOrThrow(clock.parseWallClock(text), text)
const line = (text: string): Package => valueOrThrow(packages.parsePackage(text), text)

const THINGS = [
  { id: "a48da18d-0000-4000-8000-000000000001", names: ["SBC00000001", "ORD-1", "PO-1001"] },
  { id: "b48da18d-0000-4000-8000-000000000002", names: ["SBC00000002", "ORD-2", "PO-1002"] },
]

const MODULES: Record<string, Parameters<typeof expectCalls>[2]> = {
  "collection-times": collectionTimes,
  contacts: {
    ...contacts,
    checkEmail: (email: string) =>
      contacts.alertWarnings({ ...booking, alertAddresses: [{ email, alertTypes: [] }] }),
    collectionEmailWarnings: (address: BookingAddress, carrier?: Carrier) =>
      contacts.collectionEmailWarnings(address, carrier),
  },
  damage: {
    readNumber: (text: string) => readNumber(text, { money: true }),
    readSignedNumber: (text: string) => readSignedNumber(text, { money: true }),
  },
  "file-names": { encodeFileName },
  money,
  names: {
    shortId,
    matchName: (name: string, things = THINGS) => matchName(name, things).map(({ id }) => id),
  },
  packages: {
    ...packages,
    describeConversion: (text: string) => packages.describeConversion(text, [line(text)]),
    itemsOf: (...texts: string[]) => packages.itemsOf(texts.map(line)),
    totalsOf: (...texts: string[]) => packages.totalsOf(texts.map(line)),
    formatPackageTotals: (text: string) => packages.formatPackageTotals(packages.itemsOf([line(text)])),
    densityDoubt: (text: string) => packages.densityDoubt(line(text)),
    boundsDoubt: (text: string, code: string) => packages.boundsDoubt(line(text), code),
    countDoubt: (text: string) => packages.countDoubt([line(text)]),
  },
  parsed: { quoted, valueOrThrow },
  payer: {
    parsePayer,
    checkPayer: ({ thirdPartyAddress, ...payer }: Payer, carrier?: Carrier) => {
      const given = thirdPartyAddress ? { ...payer, thirdPartyAddress: sydney } : payer
      const { errors, warnings } = checkPayer(given, carrier)
      return [...errors, ...warnings.map((each) => ({ ...each, severity: "warning" }))]
    },
  },
  places,
  "safe-text": { safeText },
  sets: {
    applyPlainSets,
    applySets: (before: Parameters<typeof applySets>[0], sets: string[]) =>
      applySets(before, sets, "ConsignmentBookingRequest"),
  },
  suggest: { suggest },
  "wall-clock": {
    ...clock,
    addDays: (text: string, days: number) => clock.formatWallClock(clock.addDays(at(text), days)),
    nextBusinessDay: (text: string) => clock.formatDate(clock.nextBusinessDay(at(text))),
    formatNear: (text: string, then: string) => clock.formatNear(at(text), at(then)),
    instantOf: (text: string, zone: string) => new Date(clock.instantOf(at(text), zone)).toISOString(),
    wallClockNow: (ms: number, zone: string) => clock.formatWallClock(clock.wallClockNow(ms, zone)),
    formatWithOffset: (text: string, zone: string) => clock.formatWithOffset(at(text), zone),
    formatWallClock: (text: string) => clock.formatWallClock(at(text)),
    formatDate: (text: string) => clock.formatDate(at(text)),
    formatTime: (text: string) => clock.formatTime(at(text)),
    formatClock: (text: string) => clock.formatClock(at(text)),
    formatHhmm: (text: string) => clock.formatHhmm(at(text)),
    minutesOfDay: (text: string) => clock.minutesOfDay(at(text)),
  },
  when: {
    parseMoment: (text: string) => {
      const read = parseMoment(text, now)
      return read.ok ? clock.formatWallClock(read.value) : read
    },
    parseDay: (text: string, towards?: "past" | "any") => parseDay(text, now, towards),
  },
  zones: { ...zones, ...placeZones },
}

it.each(Object.entries(MODULES))("%s", async (name, functions) => {
  await expectCalls(import.meta.dirname, `texts/${name}.txt`, functions)
})

it("shows of a hostile text little, and no control character", () => {
  const hostile = "\u001b[2J\u0007"
  for (const reason of [
    clock.parseWallClock(`${hostile}${"T".repeat(200_000)}`),
    places.parsePlace(`${hostile}${"a ".repeat(100_000)}`),
    packages.parsePackage(`40x30x20@${"1".repeat(200_000)}${hostile}z`),
    packages.parsePackage(`40x30x20@${"9".repeat(400)}`),
  ])
    expect(reason).toMatchObject({ ok: false, reason: expect.stringMatching(/^[\P{C}]{1,250}$/u) })
  expect(safeText(`\u001b[31m${"\u001b[0m".repeat(500_000)}end`, 10)).toBe("…")
  expect(suggest("r".repeat(100_000), ["sender", "receiver"])).toBeUndefined()
})

it("leaves what it is given alone, and every other object", () => {
  const before = { receiver: { suburb: "Perth" } }
  applySets(before, ["receiver.state=WA"], "ConsignmentBookingRequest")
  applyPlainSets(before, ["receiver.suburb=Darwin"])
  expect(before).toEqual({ receiver: { suburb: "Perth" } })
  expect(Object.hasOwn(applyPlainSets({}, ["__proto__.polluted=true"]), "__proto__")).toBe(true)
  expect(() => applySets({}, ["__proto__.polluted=1"], "ConsignmentBookingRequest")).toThrow("no such field")
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
})
