/** Seats with an API key each, at which one order is booked in every way that there is, and what each way answers. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { openOn } from "../../src/app/library-calls.ts"
import type { ListedOrder } from "../../src/app/library.ts"
import { FreightError } from "../../src/base/errors.ts"
import type { Package } from "../../src/contract/generated/types.ts"
import type { SendStep } from "../../src/ledger/create.ts"
import type { Clock } from "../../src/base/ports.ts"
import { programHost } from "../../src/machine/host.ts"
import { errorText } from "../../src/output/terminal/error-text.ts"
import type { Choice, Conversation } from "../../src/output/terminal/conversation/conversation.ts"
import { assistant } from "./assistants.ts"
import { type desk, errorIn, type Ran } from "./freight.ts"
import { nestedOrder, type Order, order, saveOrders } from "./orders.ts"
import { threadedSqlite } from "./threaded-sqlite.ts"

export const WAYS = ["flags", "file", "batch", "plan", "wizard", "mcp", "program", "program list"] as const
export type Way = (typeof WAYS)[number]
/** And the request itself, which knows of an order what it holds and no more. */
export const EVERY_WAY = [...WAYS, "api"] as const
export type EveryWay = (typeof EVERY_WAY)[number]
/** Those that book many at once. */
export const LISTS = ["batch", "plan", "mcp", "program list"] as const satisfies readonly Way[]

interface Tenant {
  id: string
  connector: string
  service: string
  /** The service's line in the wizard's list. */
  words: string
}

const MAIN: Tenant = { id: "tenant-main", connector: "connector-b", service: "GEN", words: "General Freight" }
const SECOND: Tenant = {
  id: "tenant-second",
  connector: "second-b-pickup-fails",
  service: "GEN",
  words: "General Freight",
}
const THIRD: Tenant = { ...MAIN, id: "tenant-third", connector: "third-b" }

/** The sandbox's keys by name. */
export const TENANTS: Readonly<Record<string, Tenant>> = {
  freight: MAIN,
  freight2: MAIN,
  freight3: MAIN,
  freightLimited: MAIN,
  secondTenantFreight: SECOND,
  secondTenantFreight2: SECOND,
  thirdTenantFreight: THIRD,
}

/** The outcome of one order. */
export interface Answer {
  reference: string
  /** Where it is booked. */
  shipment?: string | undefined
  /** Where it is not. */
  why: string
  /** Messages and questions that a person saw on the way. */
  said?: string
}

export interface Seat {
  /** The name of its key. */
  key: string
  tenant: Tenant
  book(way: EveryWay, ...references: string[]): Promise<Answer[]>
  /** Books one of no shipment. */
  bookPickup(): Promise<Ran>
  run(...args: string[]): Promise<Ran>
}

interface Row {
  reference: string
  state: string
  shipmentId: string | null
  error: string | null
}

/**
 * @param made the desk, which may have several seats
 * @param env its key, ledger and service
 * @param at is told of the moments of a create
 * @param changes what its orders are otherwise
 */
export function openSeat(
  made: Awaited<ReturnType<typeof desk>>,
  key: string,
  env: Readonly<Record<string, string>>,
  clock: Clock,
  at: (moment: SendStep) => void = () => {},
  changes: Order = {},
): Seat {
  const known = TENANTS[key]
  if (!known) throw new Error(`no tenant is known of the key ${key}`)
  const { connector = known.connector, service = known.service } = changes
  const tenant = { ...known, connector, service }
  const host = { sqlite: threadedSqlite, at }
  const options = { env, clock, isFolderless: true }
  const run = (...args: string[]) => made.freight(args, { ...options, host })
  const orderOf = (reference: string) => order(reference, { ...changes, connector, service })
  let files = 0
  const newFile = (name: string) => path.join(made.folder, `${key}-${++files}-${name}`)
  const saveJson = async (value: unknown) => {
    const file = newFile("booking.json")
    await writeFile(file, JSON.stringify(value))
    return file
  }
  const saveList = async (references: readonly string[]) =>
    path.join(
      made.folder,
      await saveOrders(made.folder, references.map(orderOf), path.basename(newFile("orders.csv"))),
    )
  const requestOf = (reference: string) => {
    const nested = nestedOrder(orderOf(reference))
    const { connector: _, service: serviceCode, reference: customerReference, ...rest } = nested
    return { ...rest, serviceCode, customerReference, payer: { type: "Sender" }, dangerousGoods: false }
  }
  const hand = (reference: string) => [
    ...["book", "--json", "--connector", tenant.connector, "--key", reference],
  ]
  // A booking whose label cannot be had is a booking.
  const one = ({ stdout, json, stderr }: Ran, reference: string): Answer[] =>
    stdout === ""
      ? [{ reference, why: stderr }]
      : [{ reference, shipment: json().shipmentId as string, why: "" }]
  const many = ({ stdout, stderr }: Ran, references: readonly string[]): Answer[] => {
    const rows = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Row]))
    return references.map((reference) =>
      toAnswer(
        reference,
        rows.find((row) => row.reference === reference),
        stderr,
      ),
    )
  }

  const saveParties = async (reference: string, sender: string) => {
    const parties = requestOf(reference) as Record<string, unknown>
    return [
      ...[`--${sender}`, await saveJson(parties.sender)],
      ...["--receiver", await saveJson(parties.receiver)],
    ]
  }

  const program = () =>
    openOn((given) => ({ ...programHost(given), ...host, clock }), { env: { ...made.env, ...env } })

  const ways: Record<EveryWay, (references: string[]) => Promise<Answer[]>> = {
    async api([reference = ""]) {
      const request = requestOf(reference) as Record<string, unknown>
      const [{ count, weightKg, lengthCm, widthCm, heightCm }] = request.packages as [Package]
      const items = {
        ...{ count, totalWeightKg: count * weightKg },
        ...{ maxLengthCm: lengthCm, maxWidthCm: widthCm, maxHeightCm: heightCm },
      }
      const body = await saveJson({ ...request, items, collection: request.sender })
      const call = ["api", "POST", `/${tenant.connector}/shipments`, "--file", body]
      return one(await run(...call, "--key", reference), reference)
    },
    async flags([reference = ""]) {
      const { packages = "", collectionDateTime = "", packagingCode = "" } = orderOf(reference)
      const { collectionCloseTime: close = "" } = orderOf(reference)
      const args = [
        ...["--service", tenant.service, "--reference", reference, "--package", packages],
        ...["--packaging", packagingCode, "--ready", collectionDateTime, "--close", close, "--no-rate"],
        ...(await saveParties(reference, "sender")),
      ]
      return one(await run(...hand(reference), ...args), reference)
    },
    async file([reference = ""]) {
      const file = await saveJson(requestOf(reference))
      return one(await run(...hand(reference), "--file", file), reference)
    },
    async wizard([reference = ""]) {
      const { serviceCode: _, ...request } = requestOf(reference)
      const args = [...hand(reference), "--file", await saveJson(request), "--label", newFile("label.pdf")]
      const said: string[] = []
      const seated = { ...host, converse: async () => answering(tenant.words, said) }
      const ran = await made.freight(args, { ...options, columns: 80, host: seated })
      return one(ran, reference).map((answer) => ({ ...answer, said: said.join("\n") }))
    },
    async program([reference = ""]) {
      const order = { ...requestOf(reference), connector: tenant.connector } as unknown as ListedOrder
      const { shipmentId: shipment, why } = await program()
        .book(order, { key: reference, withoutRate: true })
        .then(
          ({ shipmentId }) => ({ shipmentId, why: "" }),
          (error: FreightError) => ({ shipmentId: undefined, why: explain(error) }),
        )
      return [{ reference, shipment, why }]
    },
    async "program list"(references) {
      const orders = references.map((reference) => ({
        ...requestOf(reference),
        connector: tenant.connector,
      })) as unknown as ListedOrder[]
      const freight = program()
      const book = () => freight.bookAll(orders, { withoutRate: true, skipInvalid: true })
      const booked = await book().catch((error: FreightError) => explain(error))
      return references.map((reference) => {
        if (typeof booked === "string") return { reference, why: booked }
        const none = { reference, state: "no row", error: null, shipmentId: null }
        return toAnswer(reference, booked.find((each) => each.reference === reference) ?? none, "")
      })
    },
    async batch(references) {
      const file = await saveList(references)
      return many(await run("batch", "book", file, "--no-rate", "--format", "ndjson"), references)
    },
    async plan(references) {
      const file = newFile("plan.json")
      const planned = await run("batch", "plan", await saveList(references), "-o", file)
      const ran = await run("batch", "book", "--plan", file, "--skip-invalid", "--format", "ndjson")
      return many({ ...ran, stderr: `${planned.stderr}\n${ran.stderr}` }, references)
    },
    async mcp(references) {
      const { call, end } = await assistant(made, [], { env, host: { ...host, clock } })
      try {
        const plan = async (wanted: readonly string[]) =>
          call("plan_booking", { bookings: wanted.map((reference) => nestedOrder(orderOf(reference))) })
        const seen = await plan(references)
        const rows = (seen.data.items ?? []) as Row[]
        const held = rows.filter(({ state }) => state !== "planned" && state !== "booked")
        const wanted = references.filter((each) => !held.some(({ reference }) => reference === each))
        const { planHash } =
          held.length === 0 ? seen.data : wanted.length > 0 ? (await plan(wanted)).data : {}
        if (planHash === undefined) return references.map((reference) => ({ reference, why: seen.text }))
        const booked = await call("book_plan", { planHash, idempotencyKey: "k" })
        const all = [...((booked.data.items ?? []) as Row[]), ...held]
        return references.map((reference) =>
          toAnswer(
            reference,
            all.find((row) => row.reference === reference),
            booked.text,
          ),
        )
      } finally {
        await end()
      }
    },
  }
  return {
    key,
    tenant,
    run,
    book: (way, ...references) => ways[way](references),
    bookPickup: async () =>
      run(
        ...["pickup", "book", "--connector", tenant.connector, "--date", "2030-11-25", "--ready", "10:00"],
        ...["--close", "17:00", "--service", tenant.service, "--package", "2x40x30x20@5.5"],
        ...(await saveParties("P0", "collection")),
      ),
  }
}

/** An error with all that it says. */
export function explain(error: FreightError): string {
  return errorText({ isTTY: false, colour: false, columns: 80, write: async () => {} }, error)
}

function toAnswer(reference: string, row: Row | undefined, text: string): Answer {
  return row?.state === "booked"
    ? { reference, shipment: row.shipmentId ?? "", why: "" }
    : { reference, why: `${row?.state ?? "no row"}: ${row?.error ?? ""}\n${text}` }
}

const QUESTIONS_AT_MOST = 30

/**
 * Somebody who books what the command line asks for, and wants nothing after it.
 * @param said what they read, in order
 */
export function answering(service: string, said: string[] = []): Conversation {
  let asked = 0
  const wanted = [/^Book it/, /^Show that booking/, new RegExp(service), /throw this away/, /^Something else/]
  return {
    plain: false,
    columns: 80,
    unicode: true,
    text: async (_question, { initial = "" } = {}) => initial,
    confirm: async (question) => question === "Ask the carriers again?",
    async choose<T>(question: string, choices: readonly Choice<T>[], initial?: T) {
      said.push(question, ...choices.map(({ name, disabled = "" }) => `${name} ${disabled}`))
      const open = choices.filter(({ disabled }) => disabled === undefined)
      const found =
        open.find(({ name }) => wanted.some((words) => words.test(name))) ??
        open.find(({ value }) => value === initial) ??
        open[0]
      if (!found || ++asked > QUESTIONS_AT_MOST)
        throw new FreightError("interrupted", `no answer to: ${question}`)
      return found.value
    },
    pick: async (question) => {
      throw new FreightError("interrupted", `no answer to: ${question}`)
    },
    during: async (_, work) => work(() => {}),
    say: async (text) => void said.push(text),
    warn: async (text) => void said.push(text),
  }
}

/** Whether an order waits until it is known whether two keys belong to one account. */
export function isHeldBack({ why }: Answer): boolean {
  return why.includes("with another API key")
}

/** A plan does not wait for whoever is sending the order just then. */
export function isBeingSent({ why }: Answer): boolean {
  return why.includes("another process is sending it")
}

/** The error of a command, for a test that did not expect it. */
export function reasonOf({ code, stderr }: Ran): string {
  return `${code}: ${stderr.includes('{"error"') ? errorIn(stderr).message : stderr}`
}
