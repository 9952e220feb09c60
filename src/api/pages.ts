/** Lists that come in pages, read to their end. */
import { FreightError } from "../base/errors.ts"
import { MAX_PAGE_SIZE, MAX_SHIPMENTS } from "../base/limits.ts"
import { parseRaw, type RawReply } from "./reply.ts"

interface ListPage<Row> {
  rows: readonly Row[]
  /** Rows that could not be read. */
  unread?: number
  total: number
  limit: number
}

/**
 * The rows of a list, page by page as far as the caller reads. New bookings shift the pages meanwhile, so repeats are
 * dropped by id (freight behaviour 5). A total that is too low does not end the list: a full page is followed by another.
 * @param name of the list in its reply
 */
export async function* walkPages<Row>(
  name: string,
  read: (page: { limit: number; offset: number }) => Promise<ListPage<Row>>,
): AsyncGenerator<Row[]> {
  const seen = new Set<string>()
  let offset = 0
  while (offset < MAX_SHIPMENTS) {
    const { rows, unread = 0, total, limit } = await read({ limit: MAX_PAGE_SIZE, offset })
    const fresh = rows
      .map((row) => [row, getId(row)] as const)
      .filter(([, id]) => !seen.has(id) && seen.add(id))
    yield fresh.map(([row]) => row)
    const count = rows.length + unread
    offset += count
    const isNothingNew = fresh.length + unread === 0
    const isFull = count >= Math.min(limit, MAX_PAGE_SIZE)
    // Unreadable rows may be the same on each page, and tell nothing about the next one.
    const mayGoOn = isFull || (offset > total && fresh.length > 0)
    if (offset >= total && (isNothingNew || !mayGoOn)) return
    if (isNothingNew)
      throw new FreightError(
        "unreadable",
        `the list of ${name} repeats itself or ends early: the page from offset ${offset - count} has nothing new, and ${seen.size} of ${total} were read`,
        { hint: "Report it to the provider of the API." },
      )
  }
  throw new FreightError(
    "unreadable",
    `the list has more than ${seen.size} ${name}, the most that freight reads at once`,
    { hint: `Read a part of it with freight shipments list --limit ${MAX_PAGE_SIZE} --offset N.` },
  )
}

/** A row without an id is known by all that it says. */
function getId(row: unknown): string {
  const { id } = Object(row)
  return typeof id === "string" ? id : JSON.stringify(row)
}

/**
 * All pages of a list as one reply, each row as it was read first.
 * @param read gets the path of a page
 * @throws FreightError `usage` for a reply that is not a list with pages; `unreadable` for a page without anything new,
 * and for a list that is too long
 */
export async function readWholeList(
  read: (path: string) => Promise<RawReply>,
  path: string,
): Promise<Record<string, unknown>> {
  const [place = "", query = ""] = path.split("?", 2)
  const readPage = async (page: { limit: number; offset: number }) => {
    const asked = new URLSearchParams(query)
    for (const [field, value] of Object.entries(page)) asked.set(field, String(value))
    const reply = parseRaw(await read(`${place}?${asked}`))
    if (reply === undefined)
      throw new FreightError("usage", "--paginate reads lists, and this reply is not JSON")
    const name = findList(reply)
    const fields = Object(reply) as Record<string, unknown>
    const { total, limit } = fields
    if (name === undefined || typeof total !== "number")
      throw new FreightError("usage", `${place} has no pages: leave out --paginate`)
    const rows = fields[name] as readonly unknown[]
    return { fields, name, rows, total, limit: typeof limit === "number" ? limit : page.limit }
  }
  const first = await readPage({ limit: MAX_PAGE_SIZE, offset: 0 })
  const rows: unknown[] = []
  for await (const page of walkPages(first.name, async (at) => (at.offset === 0 ? first : readPage(at))))
    rows.push(...page)
  return { ...first.fields, total: rows.length, limit: rows.length, offset: 0, [first.name]: rows }
}

/** The name of the only list in a reply. */
export function findList(json: unknown): string | undefined {
  if (Array.isArray(json)) return undefined
  const lists = Object.entries(Object(json)).filter(([, value]) => Array.isArray(value))
  return lists.length === 1 ? lists[0]?.[0] : undefined
}
