/** Suppliers and customers of invoices: those that are saved under a name, and those that were used last. */
import path from "node:path"
import { getOwn } from "../../base/json.ts"
import { type Config, type ConfigFile, notSaved, openStore } from "../../machine/index.ts"
import { type Parsed, parsed, refused, valueOrThrow, quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import type { Questions } from "../../output/index.ts"
import {
  CONTACT_FORM,
  keepText,
  type PaymentTexts,
  parseAccountNumber,
  parseBsb,
  parseContact,
  parseTerms,
  readChecked,
} from "./payment.ts"
import type { AccountChange, KnownSupplier } from "../accounting/known-supplier.ts"
import { areOneSupplier, describeAccount, isSameAccount } from "../accounting/suppliers.ts"
import { ADDRESS_FORM, parseAbn, parseAddress, parseSome } from "./texts.ts"

export const ROLES = ["supplier", "customer"] as const
export type Role = (typeof ROLES)[number]

/** Texts of an invoice by the names of their flags; a party may be a supplier, a customer, or both. */
export interface Party extends PaymentTexts {
  /** The buyer's code for the supplier. */
  supplierId?: string
  supplierName?: string
  abn?: string
  supplierAddress?: string
  /** The contact for questions about the supplier's invoices. */
  contact?: string
  billTo?: string
  shipTo?: string
}

type PartyField = keyof Party

interface FieldRule {
  role: Role
  flag: string
  question: string
  isNeeded: boolean
  /** Any of these needs it. */
  neededWith?: readonly PartyField[]
  check: (text: string) => Parsed<unknown>
}

const ofSupplier = { role: "supplier", isNeeded: true, check: parseSome } as const
const ofBank = { ...ofSupplier, isNeeded: false } as const
const ofCustomer = { role: "customer", isNeeded: true, check: parseAddress } as const
export const FIELDS = {
  supplierId: { ...ofSupplier, flag: "--supplier-id", question: "The buyer's code for the supplier" },
  supplierName: { ...ofSupplier, flag: "--supplier-name", question: "Name of the supplier" },
  abn: { ...ofSupplier, flag: "--abn", question: "ABN of the supplier", isNeeded: false, check: parseAbn },
  bsb: {
    ...ofBank,
    flag: "--bsb",
    question: "BSB of the account to pay into (062-000)",
    neededWith: ["accountNumber", "accountName"],
    check: parseBsb,
  },
  accountNumber: {
    ...ofBank,
    flag: "--account-number",
    question: "Account number to pay into",
    neededWith: ["bsb", "accountName"],
    check: parseAccountNumber,
  },
  accountName: { ...ofBank, flag: "--account-name", question: "Name of the account, if not the supplier's" },
  contact: {
    ...ofBank,
    flag: "--contact",
    question: `Who answers questions about invoices (${CONTACT_FORM})`,
    check: keepText(parseContact),
  },
  supplierAddress: {
    ...ofSupplier,
    flag: "--supplier-address",
    question: `Address of the supplier (${ADDRESS_FORM})`,
    isNeeded: false,
    check: parseAddress,
  },
  billTo: { ...ofCustomer, flag: "--bill-to", question: `Address to bill (${ADDRESS_FORM})` },
  shipTo: { ...ofCustomer, flag: "--ship-to", question: "Where goods go, if elsewhere", isNeeded: false },
  terms: {
    ...ofCustomer,
    flag: "--terms",
    question: "Payment terms (30 days)",
    isNeeded: false,
    check: keepText(parseTerms),
  },
} as const satisfies Readonly<Record<PartyField, FieldRule>>
const FIELD_NAMES = Object.keys(FIELDS) as PartyField[]

/** The fields of a party among other options. */
export function pickParty(options: Party): Party {
  return pickFields(options, () => true)
}

export function pickRole(party: Party, role: Role): Party {
  return pickFields(party, (field) => FIELDS[field].role === role)
}

function pickFields(party: Party, isWanted: (field: PartyField) => boolean): Party {
  const fields = FIELD_NAMES.filter((field) => isWanted(field) && party[field] !== undefined)
  return Object.fromEntries(fields.map((field) => [field, party[field]]))
}

/**
 * Checks a party before saving: its texts, and that the supplier or customer is complete.
 * @throws FreightError `input` for an invalid text, `usage` listing missing ones
 */
export function checkParty(party: Party): void {
  checkTexts(party)
  const roles = listRoles(party)
  const missing = (roles.length === 0 ? ROLES : roles).flatMap((role) => listMissing(party, role))
  if (missing.length > 0)
    throw new FreightError("usage", "the party is incomplete; nothing was saved", {
      errors: missing.map((field) => ({ message: `${FIELDS[field].flag}: ${FIELDS[field].question}` })),
      hint: "A supplier needs a code and a name, a customer an address for bills. A party can be both.",
    })
}

function checkTexts(party: Party): void {
  for (const [field, text] of Object.entries(party) as [PartyField, string][])
    valueOrThrow<unknown>(FIELDS[field].check(text), FIELDS[field].flag)
}

function listRoles(party: Party): Role[] {
  return ROLES.filter((role) => Object.keys(pickRole(party, role)).length > 0)
}

function listMissing(party: Party, role: Role): PartyField[] {
  return FIELD_NAMES.filter(
    (field) => FIELDS[field].role === role && isNeededBy(party, field) && party[field] === undefined,
  )
}

/** Whether a party needs a field, always or because of another that it has. */
export function isNeededBy(
  party: Readonly<Partial<Record<PartyField, unknown>>>,
  field: PartyField,
): boolean {
  const { isNeeded, neededWith = [] }: FieldRule = FIELDS[field]
  return isNeeded || neededWith.some((other) => party[other] !== undefined)
}

/**
 * Asks for a party's missing required texts; if nothing is given, for optional ones too.
 * @throws FreightError `input` for an invalid text
 */
export async function askParty(
  { choose, text }: Pick<Questions, "choose" | "text">,
  given: Party,
): Promise<Party> {
  checkTexts(given)
  const known = listRoles(given)
  const roles =
    known.length > 0
      ? known
      : [
          await choose<Role>("What is it?", [
            { name: "A supplier, who sends invoices", value: "supplier" },
            { name: "A customer, who is billed", value: "customer" },
          ]),
        ]
  const party: Party = { ...given }
  for (const field of FIELD_NAMES) {
    const isAsked = roles.includes(FIELDS[field].role) && (known.length === 0 || isNeededBy(party, field))
    if (isAsked) await askField(text, party, field)
  }
  return party
}

/**
 * Asks for a missing field. Enter alone skips an optional one, and fields that only go with others are not asked
 * without them.
 * @param question if its words differ from those for an invoice
 */
export async function askField(
  text: Questions["text"],
  party: Partial<Record<PartyField, string>>,
  field: PartyField,
  question: string = FIELDS[field].question,
): Promise<void> {
  const { check }: FieldRule = FIELDS[field]
  if (party[field] !== undefined || (field in BANK_DETAILS && party.bsb === undefined)) return
  const isNeeded = isNeededBy(party, field)
  const answer = await text(isNeeded ? question : `${question} (Enter alone: none)`, {
    check: (typed) => (typed === "" && !isNeeded ? parsed(undefined) : check(typed)),
  })
  if (answer !== "") party[field] = answer
}

/** Asked if there is a BSB. */
const BANK_DETAILS: Partial<Record<PartyField, true>> = { accountNumber: true, accountName: true }

/** The saved parties of a role by name. Broken ones are left out: `findParty` reports them. */
export function listParties(store: ConfigFile, role: Role): Record<string, Party> {
  const parties: Record<string, Party> = {}
  for (const [name, saved] of Object.entries(store.read().parties ?? {})) {
    const read = readParty(saved, role)
    if (read.ok && read.value) parties[name] = read.value
  }
  return parties
}

/** The saved suppliers, with which the bank accounts of invoices are compared. Broken ones are left out. */
export function listKnownSuppliers(store: ConfigFile): KnownSupplier[] {
  const saved = store.read().parties ?? {}
  return Object.entries(listParties(store, "supplier")).map(([party, fields]) => {
    const { supplierId = "", supplierName = "", abn, bsb, accountNumber, accountName, contact } = fields
    const email = readChecked(parseContact, contact)?.email
    const accountChanges = readAccountChanges(saved[party])
    return { party, supplierId, supplierName, abn, bsb, accountNumber, accountName, email, accountChanges }
  })
}

/** Changes of an account that are kept, at most. */
const MAX_CHANGES = 10

/** Removed suppliers that are kept, at most: the last ones. */
const MAX_FORMER = 500

/** Fields that identify a removed party and its account. */
const KEPT_OF_REMOVED: ReadonlySet<PartyField> = new Set([
  ...(["supplierId", "supplierName", "abn", "bsb", "accountNumber"] as const),
])

function hadAccount(saved: SavedParty): boolean {
  return saved.accountNumber !== undefined || saved.accountChanges !== undefined
}

/** The removed suppliers with those that are removed now, as far as they have a bank account. */
export function keepFormerSuppliers(
  { parties = {}, formerSuppliers = [] }: Pick<Config, "parties" | "formerSuppliers">,
  gone: ReadonlySet<string>,
): Pick<Config, "formerSuppliers"> {
  const removed = [...gone].flatMap((name) => {
    const saved = Object(getOwn(parties, name)) as SavedParty
    const { accountChanges } = saved
    if (!hadAccount(saved)) return []
    const party = pickFields(saved, (field) => KEPT_OF_REMOVED.has(field))
    return [{ ...party, ...(accountChanges && { accountChanges }) }]
  })
  if (removed.length === 0) return {}
  const others = formerSuppliers.filter((each) => !removed.some((party) => isSupplier(party, each)))
  return { formerSuppliers: [...others, ...removed].slice(-MAX_FORMER) }
}

/** The same supplier as it was saved before: under another name, or before it was removed. */
export function findEarlier(
  { parties = {}, formerSuppliers = [] }: Pick<Config, "parties" | "formerSuppliers">,
  party: Party,
): unknown {
  const earlier = [...formerSuppliers, ...Object.values(parties)].filter(
    (each) => hadAccount(each) && isSupplier(party, each),
  )
  return earlier.find((each) => isSameAccount(each, party)) ?? earlier.at(-1)
}

function isSupplier(party: Party, other: Party): boolean {
  const identify = ({ supplierId = "", supplierName = "", abn }: Party) => ({ supplierId, supplierName, abn })
  return party.supplierId !== undefined && areOneSupplier(identify(party), identify(other))
}

/**
 * The saved form of a party in the place of another: it keeps when its bank account changed, and the earlier account.
 * @param today such as `2026-11-20`
 */
export function keepAccountChanges(
  before: unknown,
  party: Party,
  today: string,
): { party: SavedParty; accountChange?: AccountChange } {
  const old = Object(before) as Party
  const isChanged = old.accountNumber !== undefined && !isSameAccount(old, party)
  const accountChange = isChanged && { on: today, before: describeAccount(old) }
  const all = [...readAccountChanges(before), ...(accountChange ? [accountChange] : [])]
  return {
    party: { ...party, ...(all.length > 0 && { accountChanges: all.slice(-MAX_CHANGES) }) },
    ...(accountChange && { accountChange }),
  }
}

/** A party, and how its bank account changed. */
export interface SavedParty extends Party {
  accountChanges?: readonly AccountChange[]
}

function readAccountChanges(saved: unknown): AccountChange[] {
  const { accountChanges } = Object(saved) as { accountChanges?: unknown }
  const isChange = (each: AccountChange | undefined) =>
    typeof each?.on === "string" && typeof each.before === "string"
  return Array.isArray(accountChanges) ? accountChanges.filter(isChange) : []
}

/**
 * The fields of a role of a saved party.
 * @throws FreightError `input` if no party has that name and role, `config` if the saved data is invalid
 */
export function findParty(store: ConfigFile, name: string, role: Role): Party {
  const { parties = {} } = store.read()
  const read = readParty(Object.hasOwn(parties, name) ? parties[name] : undefined, role)
  if (!read.ok)
    throw new FreightError("config", `the saved ${role} ${quoted(name)} is not valid: ${read.reason}`, {
      hint: `Save it again with freight party add "${name}" --replace, or fix it in ${store.file}.`,
    })
  if (!read.value) throw notSaved("parties", Object.keys(listParties(store, role)), name, `saved ${role}`)
  return read.value
}

/** The fields of a role as a file has them; undefined for a party that has not that role. */
function readParty(saved: unknown, role: Role): Parsed<Party | undefined> {
  const party = pickRole(Object(saved) as Party, role)
  if (listMissing(party, role).length > 0) return parsed(undefined)
  for (const [field, text] of Object.entries(party) as [PartyField, unknown][]) {
    const checked = typeof text === "string" ? FIELDS[field].check(text) : refused("it is not text in quotes")
    if (!checked.ok) return refused(`${FIELDS[field].flag}: ${checked.reason}`)
  }
  return parsed(party)
}

/** Why a saved party cannot be used; undefined if it can. */
export function explainSavedParty(saved: unknown): string | undefined {
  const roles = ROLES.map((role) => readParty(saved, role))
  for (const read of roles) if (!read.ok) return read.reason
  const isWhole = roles.some((read) => read.ok && read.value)
  return isWhole ? undefined : "it is neither a whole supplier nor a whole customer"
}

export type LastParties = Partial<Record<Role, Party>>

/** The supplier and the customer of the last invoice that was made here. */
export async function readLastParties(file: string): Promise<LastParties> {
  return openLastParties(file).read(path.parse(file).name) ?? {}
}

/** A role that is not whole leaves the one of before. */
export async function keepLastParties(file: string, party: Party): Promise<void> {
  const last = await readLastParties(file)
  for (const role of ROLES) if (listMissing(party, role).length === 0) last[role] = pickRole(party, role)
  openLastParties(file).keep(path.parse(file).name, last)
}

function openLastParties(file: string) {
  const parse = (kept: unknown) => {
    const last: LastParties = {}
    for (const role of ROLES) {
      const read = readParty((Object(kept) as Partial<Record<Role, unknown>>)[role], role)
      if (read.ok && read.value) last[role] = read.value
    }
    return last
  }
  return openStore({ folder: path.dirname(file), parse })
}
