/** Reads texts of people by the rules of the contract: each module's functions, by a file of cases. */
import { expect, it } from "vitest"
import * as collectionTimes from "../../src/contract/collection-times.ts"
import * as contacts from "../../src/contract/contacts.ts"
import { readNumber, readSignedNumber } from "../../src/contract/fields/damage.ts"
import { applyPlainSets, applySets } from "../../src/contract/fields/sets.ts"
import type { BookingAddress, Carrier, Package, Payer } from "../../src/contract/generated/types.ts"
import * as packages from "../../src/contract/packages.ts"
import { FreightError } from "../../src/base/errors.ts"
import { valueOrThrow } from "../../src/base/parsed.ts"
import { checkPayer, parsePayer } from "../../src/contract/payer.ts"
import * as places from "../../src/contract/places.ts"
import * as placeZones from "../../src/contract/place-zones.ts"
import * as zones from "../../src/contract/zones.ts"
import { expectCalls } from "../cases.ts"
import { booking, sydney } from "./rule-examples.ts"

const line = (text: string): Package => valueOrThrow(packages.parsePackage(text), text)

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
  packages: {
    ...packages,
    describeConversion: (text: string) =>
      packages.describeConversion(text, valueOrThrow(packages.parsePackages(text), text)),
    parsePackages: (text: string) => packages.parsePackages(text),
    parseNamed: (text: string) =>
      packages.parsePackages(text, (name) => {
        if (name.toLowerCase() === "small") return "1x30x20x10@2"
        throw new FreightError("input", `there is no saved package "${name}"`, { hint: "Saved are: small." })
      }),
    itemsOf: (...texts: string[]) => packages.itemsOf(texts.map(line)),
    totalsOf: (...texts: string[]) => packages.totalsOf(texts.map(line)),
    formatPackageTotals: (text: string) => packages.formatPackageTotals(packages.itemsOf([line(text)])),
    densityDoubt: (text: string) => packages.densityDoubt(line(text)),
    boundsDoubt: (text: string, code: string) => packages.boundsDoubt(line(text), code),
    countDoubt: (text: string) => packages.countDoubt([line(text)]),
  },
  payer: {
    parsePayer,
    checkPayer: ({ thirdPartyAddress, ...payer }: Payer, carrier?: Carrier) => {
      const given = thirdPartyAddress ? { ...payer, thirdPartyAddress: sydney } : payer
      const { errors, warnings } = checkPayer(given, carrier)
      return [...errors, ...warnings.map((each) => ({ ...each, severity: "warning" }))]
    },
  },
  places,
  sets: {
    applyPlainSets,
    applySets: (before: Parameters<typeof applySets>[0], sets: string[]) =>
      applySets(before, sets, "ConsignmentBookingRequest"),
  },
  zones: { ...zones, ...placeZones },
}

it.each(Object.entries(MODULES))("%s", async (name, functions) => {
  await expectCalls(import.meta.dirname, `texts/${name}.txt`, functions)
})

it("a message shows little of a hostile text, and no control character", () => {
  const hostile = "\u001b[2J\u0007"
  for (const reason of [
    places.parsePlace(`${hostile}${"a ".repeat(100_000)}`),
    packages.parsePackage(`40x30x20@${"1".repeat(200_000)}${hostile}z`),
    packages.parsePackage(`40x30x20@${"9".repeat(400)}`),
  ])
    expect(reason).toMatchObject({ ok: false, reason: expect.stringMatching(/^[\P{C}]{1,250}$/u) })
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
