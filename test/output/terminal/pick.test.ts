/** `--fields`: what is picked of what a command prints as JSON, and the lines of a table and of CSV. */
import { describe, expect, it } from "vitest"
import { anyColumn, type Column } from "../../../src/output/terminal/columns.ts"
import { type Printed, pickJson } from "../../../src/output/terminal/pick.ts"
import { type Format, print, printJson, printPages, type View } from "../../../src/output/terminal/view.ts"

const named = (...keys: string[]): Column<unknown>[] => keys.map((key) => anyColumn(key, key.toUpperCase()))

const SHIPMENTS = [
  { id: "s-1", status: "BOOKED", receiver: { suburb: "Perth", lines: ["a", "b"] } },
  { id: "s-2", status: "CANCELLED", receiver: null },
]
const ROWS = {
  rows: SHIPMENTS,
  columns: [
    { key: "id", title: "ID" },
    { key: "status", title: "STATUS" },
  ] as Column<never>[] as Column<unknown>[],
}
/** A list with what describes it. */
const LIST = {
  ...ROWS,
  json: { items: SHIPMENTS, total: 7, nextOffset: null, others: [1], warnings: [] },
  rowsAt: "items",
} satisfies Printed<unknown>
const LISTED: View<unknown> = {
  ...ROWS,
  page: { total: 7, nextOffset: null },
  summary: { others: [1] },
}

const EVENTS = [
  { consignment: "A", status: "Picked up", at: "1" },
  { consignment: "A", status: "Delivered", at: "2" },
]
const JOURNEYS = [
  {
    consignment: "A",
    supported: true,
    tracking: { currentStatus: "Delivered", deliveredAt: "2", events: EVENTS },
  },
  { consignment: "B", supported: false, tracking: null },
]
const EVENT_ROWS = {
  rows: EVENTS.map((event) => ({ currentStatus: "Delivered", ...event })),
  columns: named("consignment", "status", "currentStatus"),
}
/** Rows are deeper than the things that the answer lists. */
const TRACKED = {
  ...EVENT_ROWS,
  json: { items: JOURNEYS, total: 2, nextOffset: null, warnings: [] },
  rowsAt: "items.tracking.events",
  objects: JOURNEYS,
} satisfies Printed<unknown>
const JOURNEYS_LISTED: View<unknown> = { ...EVENT_ROWS, items: JOURNEYS, rowsAt: "tracking.events" }

/** Rates as a table, with a number that the JSON has not. */
const RATES = {
  json: {
    quoteId: "q",
    results: [
      { carrier: "A", rates: [{ code: "X" }] },
      { carrier: "B", rates: [{ code: "Y" }] },
    ],
  },
  rowsAt: "results.rates",
  rows: [{ code: "Y", number: 1 }],
  columns: [
    { key: "code", title: "CODE" },
    { key: "number", title: "#", value: () => 1 },
  ] as Column<unknown>[],
} satisfies Printed<unknown>

async function written(
  format: Format,
  fields: readonly string[] | undefined,
  view: View<unknown>,
  more = {},
) {
  const text: string[] = []
  const stream = {
    isTTY: false,
    colour: false,
    columns: 80,
    write: async (chunk: string | Uint8Array) => void text.push(String(chunk)),
  }
  const terminal = { stdout: stream, stderr: stream, unicode: true, stdin: { isTTY: false } } as never
  await print({ terminal, output: { format, ...(fields && { fields }), ...more }, warnings: [] }, view)
  return text.join("")
}

describe("fields of JSON", () => {
  it("of rows stay in their list, and what describes the list stays beside it", () => {
    expect(pickJson(LIST, ["id"])).toEqual({
      total: 7,
      nextOffset: null,
      items: [{ id: "s-1" }, { id: "s-2" }],
    })
  })

  it("that are named from the top are all that is left", () => {
    expect(pickJson(LIST, ["total"])).toEqual({ total: 7 })
    expect(pickJson(LIST, ["items.id", "total"])).toEqual({
      items: [{ id: "s-1" }, { id: "s-2" }],
      total: 7,
    })
    expect(pickJson(LIST, ["items"])).toEqual({ items: SHIPMENTS })
  })

  it("keep their nesting, their types and their lists; what is not there is null", () => {
    expect(pickJson(LIST, ["receiver.suburb", "receiver.lines"])).toEqual({
      total: 7,
      nextOffset: null,
      items: [{ receiver: { suburb: "Perth", lines: ["a", "b"] } }, { receiver: null }],
    })
    expect(pickJson({ json: { a: 1 }, rows: [{ a: 1 }], columns: [], single: true }, ["b.c"])).toEqual({
      b: { c: null },
    })
  })

  it("give as many objects as without, of lists in lists too", () => {
    expect(pickJson(TRACKED, ["tracking.deliveredAt"])).toEqual({
      items: [{ tracking: { deliveredAt: "2" } }, { tracking: null }],
      ...{ total: 2, nextOffset: null },
    })
    expect(pickJson(TRACKED, ["consignment", "status"])).toEqual({
      items: [
        { consignment: "A", tracking: { events: [{ status: "Picked up" }, { status: "Delivered" }] } },
        { consignment: "B", tracking: null },
      ],
      ...{ total: 2, nextOffset: null },
    })
    expect(pickJson(TRACKED, ["currentStatus"])).toEqual({
      items: [{ tracking: { currentStatus: "Delivered" } }, { tracking: null }],
      ...{ total: 2, nextOffset: null },
    })
  })

  it("have what only the table has where rows and JSON are the same things", () => {
    const columns = [
      ...LIST.columns,
      { key: "freight.key", title: "KEY", value: (row: unknown) => `K-${Object(row).id}` },
    ]
    expect(pickJson({ ...LIST, columns }, ["id", "freight.key"])).toEqual({
      total: 7,
      nextOffset: null,
      items: [
        { id: "s-1", freight: { key: "K-s-1" } },
        { id: "s-2", freight: { key: "K-s-2" } },
      ],
    })
  })

  it("are the table's rows where a heading is asked for that the JSON has no place for", () => {
    expect(pickJson(RATES, ["code"])).toEqual({
      quoteId: "q",
      results: [{ rates: [{ code: "X" }] }, { rates: [{ code: "Y" }] }],
    })
    expect(pickJson(RATES, ["number", "code"])).toEqual({
      items: [{ number: 1, code: "Y" }],
      total: 1,
      nextOffset: null,
    })
  })

  it("take a name of a property with dots in it, and no inherited one", () => {
    const rows = [{ own: { "collection.residential": true } }]
    const printed = { json: rows, rows, columns: [] }
    expect(pickJson(printed, ["own.collection.residential"])).toEqual(rows)
    expect(pickJson(printed, ["__proto__.x", "toString"])).toEqual([
      JSON.parse('{"__proto__":{"x":null},"toString":null}'),
    ])
  })

  it.each([
    [
      ["packages.0.kg", "packages.1.cm"],
      [{ kg: 5 }, { cm: 50 }],
    ],
    [
      ["packages.cm", "packages.1.kg"],
      [{ cm: 40 }, { cm: 50, kg: 9 }, { cm: 60 }],
    ],
    [
      ["packages.1.kg", "packages.0.kg"],
      [{ kg: 5 }, { kg: 9 }],
    ],
    [["packages.1.kg"], [null, { kg: 9 }]],
    [["packages.7.kg"], []],
  ] as const)("of items by their place stay those items', in their place: %j", (fields, packages) => {
    const json = {
      packages: [
        { kg: 5, cm: 40 },
        { kg: 9, cm: 50 },
        { kg: 2, cm: 60 },
      ],
    }
    expect(pickJson({ json, rows: [json], columns: [], single: true }, fields)).toEqual({ packages })
  })

  it("of an answer with one object leave only those fields of it", () => {
    const shipment = { id: "s-1", status: "BOOKED", receiver: { suburb: "Perth", phone: "1" } }
    const one = {
      json: { shipment, freight: { barcodes: ["B"] } },
      rowsAt: "shipment",
      rows: [shipment],
      columns: named("id") as Column<never>[] as Column<typeof shipment>[],
      single: true,
    }
    expect(pickJson(one, ["id", "receiver.suburb"])).toEqual({
      shipment: { id: "s-1", receiver: { suburb: "Perth" } },
    })
  })

  it("of a list's items are the items' own, even where something inside them has the same name", () => {
    const events = [{ consignment: "A", status: "Delivered" }]
    const json = [
      { consignment: "A", tracking: { events } },
      { consignment: "B", tracking: null },
    ]
    const columns = named("consignment", "status")
    const tracked = { json, objects: json, rowsAt: "tracking.events", rows: events, columns }
    expect(pickJson(tracked, ["consignment"])).toEqual([{ consignment: "A" }, { consignment: "B" }])
  })

  it("of a row by its place do not meet the heading of another row", () => {
    const columns = [{ key: "name", title: "NAME", value: (row: unknown) => `N-${Object(row).id}` }]
    expect(pickJson({ ...LIST, columns }, ["items.1.id", "name"])).toEqual({
      items: [{ name: "N-s-1" }, { id: "s-2", name: "N-s-2" }],
    })
  })

  it("of an empty list leave the list", () => {
    const empty = { ...LIST, json: { items: [], total: 0 }, rows: [] }
    expect(pickJson(empty, ["id"])).toEqual({ total: 0, items: [] })
  })
})

describe("a heading that every list has a name for", () => {
  const rows = [{ amount: 12 }, { amount: 30 }]
  const columns: Column<unknown>[] = [{ key: "total", title: "TOTAL", value: (row) => Object(row).amount }]
  it("is the rows'", async () => {
    expect(await written("csv", ["total"], { rows, columns })).toBe("total\n12\n30\n")
    expect(JSON.parse(await written("json", ["total"], { rows, columns }))).toMatchObject({
      items: [{ total: 12 }, { total: 30 }],
    })
  })
})

describe("one thing", () => {
  it("has the warnings of the command, and what follows it, and a list has them, too", async () => {
    const one = { rows: [{ id: "a" }], columns: named("id"), warnings: ["later"] }
    expect(JSON.parse(await written("json", undefined, { ...one, single: true }))).toEqual({
      id: "a",
      warnings: ["later"],
    })
    expect(await written("ndjson", undefined, { ...one, single: true })).toBe(
      '{"id":"a","warnings":["later"]}\n',
    )
    expect(JSON.parse(await written("json", undefined, one))).toEqual({
      items: [{ id: "a" }],
      total: 1,
      nextOffset: null,
      warnings: ["later"],
    })
    expect(await written("ndjson", undefined, one)).toBe('{"id":"a"}\n')
  })
})

describe("the other formats", () => {
  it.each([
    ["ndjson", ["id"], '{"id":"s-1"}\n{"id":"s-2"}\n'],
    ["ndjson", ["total"], '{"total":7}\n'],
    ["csv", ["id", "receiver.suburb"], "id,receiver.suburb\ns-1,Perth\ns-2,\n"],
    ["csv", ["items.id"], "items.id\ns-1\ns-2\n"],
    ["csv", ["items.status"], "items.status\nBOOKED\nCANCELLED\n"],
    ["csv", ["id", "total"], "id,total\ns-1,7\ns-2,7\n"],
    ["csv", ["total"], "total\n7\n"],
    ["value", ["items.1.id"], "s-2\n"],
    ["ndjson", ["items.1.id"], '{"items":[null,{"id":"s-2"}]}\n'],
    ["value", ["id"], "s-1\ns-2\n"],
    ["value", ["id", "receiver.suburb", "receiver.lines"], 's-1\tPerth\t["a","b"]\ns-2\t\t\n'],
    ["value", ["total"], "7\n"],
  ] as const)("pick the same: %s of %j", async (format, fields, text) => {
    expect(await written(format, fields, LISTED)).toBe(text)
  })

  it.each([
    ["ndjson", ["tracking.deliveredAt"], '{"tracking":{"deliveredAt":"2"}}\n{"tracking":null}\n'],
    ["value", ["tracking.deliveredAt"], "2\n\n"],
    ["csv", ["consignment", "status"], "consignment,status\nA,Picked up\nA,Delivered\n"],
    ["csv", ["tracking.events.status"], "tracking.events.status\nPicked up\nDelivered\n"],
    ["value", ["items.tracking.deliveredAt"], "2\n\n"],
    ["ndjson", ["consignment"], '{"consignment":"A"}\n{"consignment":"B"}\n'],
  ] as const)("have a line for each thing, or for each row: %s of %j", async (format, fields, text) => {
    expect(await written(format, fields, JOURNEYS_LISTED)).toBe(text)
  })

  it("have no line of names in CSV under --no-header", async () => {
    expect(await written("csv", ["id"], LISTED, { isHeadless: true })).toBe("s-1\ns-2\n")
  })

  it("write a value of several lines as one", async () => {
    const rows = [{ note: "a\nb\tc\u001b[1m" }]
    const view: View<unknown> = { rows, columns: named("note"), single: true }
    const line = (await written("value", ["note"], view)).trimEnd()
    for (const sign of ["\n", "\t", "\u001b"]) expect(line).not.toContain(sign)
  })

  it("print one value that is not a row as JSON for people, and on one line as NDJSON", async () => {
    const text: string[] = []
    const stream = { write: async (chunk: string) => void text.push(String(chunk)) }
    const terminal = { stdout: stream, stderr: stream } as never
    for (const output of [
      { format: "table" },
      { format: "json" },
      { format: "ndjson" },
      { format: "value", fields: ["a.b"] },
    ] as const) {
      await printJson({ terminal, output, warnings: ["w"] }, { a: { b: 1 }, c: 2 })
      text.push("--\n")
    }
    const whole = '{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}\n--\n'
    expect(text.join("")).toBe(`${whole}${whole}{"a":{"b":1},"c":2}\n--\n1\n--\n`)
  })
})

describe("a list in pages", () => {
  async function* pages() {
    yield SHIPMENTS.slice(0, 1)
    yield SHIPMENTS.slice(1)
  }
  it.each([
    "json",
    "ndjson",
    "csv",
    "value",
  ] as const)("is with fields what it is in one piece: %s", async (format) => {
    for (const fields of [["id"], ["items.id", "receiver.suburb"], ["total"], ["id", "total"]]) {
      const text: string[] = []
      const stream = { isTTY: false, write: async (chunk: string) => void text.push(String(chunk)) }
      const terminal = { stdout: stream, stderr: stream } as never
      const { columns } = ROWS
      const summary = { others: [1] }
      await printPages({ terminal, output: { format, fields }, warnings: [] }, { columns, summary, pages })
      const whole = await written(format, fields, { ...ROWS, summary })
      if (format === "json") expect(JSON.parse(text.join("")), String(fields)).toEqual(JSON.parse(whole))
      else expect(text.join(""), String(fields)).toBe(whole)
    }
  })

  it("is whole where it is named itself", async () => {
    const text: string[] = []
    const stream = { isTTY: false, write: async (chunk: string) => void text.push(String(chunk)) }
    const terminal = { stdout: stream, stderr: stream } as never
    const output = { format: "json", fields: ["items"] } as const
    await printPages({ terminal, output, warnings: [] }, { columns: ROWS.columns, pages })
    expect(JSON.parse(text.join(""))).toEqual({ items: SHIPMENTS })
  })
})
