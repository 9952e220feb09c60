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
