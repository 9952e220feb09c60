import { describe, expect, it } from "vitest"
import { listProxySecrets } from "../../src/api/address.ts"
import { createMask } from "../../src/api/mask.ts"
import { client, KEY } from "./setup.ts"
import { json, server } from "./servers.ts"

const PRINT_KEY = `dp_${"f".repeat(40)}`
const maskData = (secrets: string[], text: string | Uint8Array) =>
  Buffer.from(
    createMask(secrets).answer({ status: 200, headers: { x: String(text) }, body: Buffer.from(text) }).body,
  )

describe("secrets in what a server says", () => {
  it.each([
    ["as they are", [KEY, PRINT_KEY], `{"a":"${KEY} and ${PRINT_KEY}"}`, '{"a":"…cdef and …ffff"}'],
    ["with characters that JSON escapes", ['k/"1234567'], '{"a":"k\\/\\"1234567"}', '{"a":"…4567"}'],
    ["with characters by their number", ["kK123456"], '{"a":"\\u006B\\u004b123456"}', '{"a":"…3456"}'],
    ["beside other letters", ["secret-password"], '{"a":"Zoë secret-password"}', '{"a":"Zoë …word"}'],
    ["one in another", ["password", "password1234"], "password1234", "…1234"],
    ["that have signs of a pattern", ["a.c*(d)[e"], "a.c*(d)[e abc", "… abc"],
  ])("are masked: %s", (_, secrets, text, expected) => {
    expect(maskData(secrets, text).toString()).toBe(expected)
  })

  const HEX = "9f8a2c7d41e0b65390ac1728de4f6b5340e9d8c7a61b2f3504ea97d8c3b1f620"
  const SECRET = `frt_live_${HEX}`
  const encode = (text: string) => Buffer.from(text).toString("base64")
  const escaped = (text: string) => text.replace(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)
  const ECHOES: readonly (readonly [string, string])[] = [
    ["in capitals", SECRET.toUpperCase()],
    ["with capitals here and there", SECRET.replace(/[ace]/g, (c) => c.toUpperCase())],
    ["without its prefix", HEX],
    ["cut at its end", SECRET.slice(0, 40)],
    ["cut at its start", SECRET.slice(-40)],
    ["cut to twelve letters", HEX.slice(20, 32)],
    ["cut to twelve letters, in capitals", HEX.slice(20, 32).toUpperCase()],
    ["in two pieces", `${SECRET.slice(0, 30)} ${SECRET.slice(30)}`],
    ["in letters by their number, and cut", escaped(HEX.slice(5, 40))],
    ["as base64", encode(SECRET)],
    ["as base64 without its end", encode(SECRET).replace(/=+$/, "")],
    ["as base64 of a header", encode(`Bearer ${SECRET}`)],
    ["as base64 of a login", encode(`me:${SECRET}`)],
    ["as base64 of a login, and more", encode(`user:${SECRET};x`)],
    ["as base64 that is cut", encode(SECRET).slice(20, 60)],
    ["as base64url", Buffer.from(`?>~${SECRET}`).toString("base64url")],
    ["as base64 with a slash that JSON escapes", encode(`?>?${SECRET}`).replaceAll("/", "\\/")],
  ]
  /** Each run of twelve letters of the key, in any case, and each of sixteen of its base64. */
  const findPieces = (text: string) => {
    const plain = text.replace(/\\u00(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    const runs = (source: string, length: number) =>
      Array.from({ length: source.length - length + 1 }, (_, at) => source.slice(at, at + length))
    return [
      ...runs(HEX, 12).filter((run) => plain.toLowerCase().includes(run)),
      ...["", "1", "12"].flatMap((before) =>
        runs(encode(before + HEX).slice(4, 80), 16).filter((run) => plain.includes(run)),
      ),
    ]
  }

  it.each(ECHOES)("are masked in what is shown and what is kept: %s", (_, echo) => {
    const mask = createMask([SECRET])
    expect(findPieces(echo)).not.toEqual([])
    const body = maskData([SECRET], `{"message":"you sent ${echo}, and","more":1}`).toString()
    const { headers } = mask.answer({ status: 200, headers: { x: echo }, body: new Uint8Array() })
    for (const shown of [mask.text(`you sent ${echo}`), body, headers.x ?? ""]) {
      expect(findPieces(shown), shown).toEqual([])
      expect(shown).toContain("…")
    }
    expect(JSON.parse(body)).toMatchObject({ message: expect.stringMatching(/^you sent .*…/), more: 1 })
  })

  it("leave other hashes, ids and encoded files as they are", () => {
    const others = [
      "4f6b5340-e9d8-4c7a-861b-2f3504ea97d9",
      HEX.slice(0, 11),
      [...HEX].reverse().join(""),
      "frt_live_account",
      Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * 7919) % 251)).toString("base64"),
    ]
    const text = JSON.stringify({ others })
    expect(JSON.parse(maskData([SECRET], text).toString()).others).toEqual(others)
    expect(JSON.parse(createMask([SECRET]).text(text)).others).toEqual(others)
  })

  it("that are short are masked in what is shown only: data may have the word", () => {
    const mask = createMask(["perth"])
    expect(mask.text("password perth")).toBe("password …")
    expect(maskData(["perth"], '{"suburb":"perth"}').toString()).toBe('{"suburb":"perth"}')
  })

  it("leave a PDF and every other byte as it is", () => {
    const pdf = Buffer.from(`%PDF-1.4 ${KEY}`)
    expect(maskData([KEY], pdf)).toEqual(pdf)
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
    expect(maskData([KEY], bytes)).toEqual(Buffer.from(bytes))
  })

  it("are masked in the headers and the body of a reply, whichever API it is of", async () => {
    const { url } = await server(
      json({ connectors: [], text: `${KEY} ${PRINT_KEY}` }, 200, {
        "x-key": PRINT_KEY,
      }),
    )
    const { transport } = client(url, { secrets: [PRINT_KEY] })
    const { body, headers } = await transport.send({ kind: "read", method: "GET", path: "/connectors" })
    const said = Buffer.from(body).toString() + JSON.stringify(headers)
    for (const secret of [KEY, PRINT_KEY]) expect(said).not.toContain(secret)
    expect(headers["x-key"]).toBe("…ffff")
  })

  it("are a proxy's password, in each way in which it is written, and its login", () => {
    expect(listProxySecrets(new URL("http://me:pass%40word@proxy.test"))).toEqual([
      "pass%40word",
      "pass@word",
      Buffer.from("me:pass@word").toString("base64"),
    ])
    expect(listProxySecrets(undefined)).toEqual([])
  })
})
