import { describe, expect, it } from "vitest"
import { partsOf, typedPath } from "../../src/api/typed-path.ts"

const BASE = "https://api.example.com/v1"
const get = (text: string) => typedPath("GET", text, BASE)
const post = (text: string) => typedPath("POST", text, BASE)

describe("a path as people write it", () => {
  it.each([
    ["/connectors", "/connectors"],
    ["connectors", "/connectors"],
    [" /connectors ", "/connectors"],
    ["//connectors", "/connectors"],
    ["\\connectors", "/connectors"],
    ["shipments?limit=5&offset=10", "/shipments?limit=5&offset=10"],
    ["track?consignment=A\\B", "/track?consignment=A\\B"],
    ["/shipments/abc%2Fdef/label", "/shipments/abc%2Fdef/label"],
    ["/quotes/1", "/quotes/1"],
  ])("%j is %j", (text, path) => {
    expect(get(text)).toBe(path)
  })

  it.each([
    ["https://api.example.com/v1/connectors", "/connectors"],
    ["https://api.example.com/v1/shipments?limit=1", "/shipments?limit=1"],
    ["HTTPS://API.EXAMPLE.COM/v1/connectors", "/connectors"],
  ])("the API's own address %j is %j", (text, path) => {
    expect(get(text)).toBe(path)
  })

  it.each([
    "https://evil.example.com/v1/connectors",
    "https://api.example.com:8443/v1/connectors",
    "http://api.example.com/v1/connectors",
    "https://api.example.com.evil.example/v1/connectors",
    "https://api.example.com@evil.example/v1/connectors",
    "https://api.example.com/v2/connectors",
    "https://api.example.com/v1/../v2/connectors",
    "file:///etc/passwd",
    "ftp://api.example.com/v1/connectors",
  ])("%j is refused", (text) => {
    expect(() => get(text)).toThrow("is outside the address")
  })

  it.each(["", "/", "  ", "\\"])("%j is empty", (text) => {
    expect(() => get(text)).toThrow("empty")
  })
})

describe("a path that a shell for Windows has rewritten", () => {
  it.each([
    ["C:/Program Files/Git/connectors", "/connectors"],
    ["C:\\Program Files\\Git\\connectors", "/connectors"],
    ["C:/Program Files/Git/shipments?limit=5", "/shipments?limit=5"],
    ["C:/Program Files/Git/shipments/abc/label", "/shipments/abc/label"],
    ["C:/msys64/track?consignment=X", "/track?consignment=X"],
    ["D:/Users/me/scoop/apps/git/2.45.1/connectors", "/connectors"],
    ["D:/tools/shell/connectors", "/connectors"],
    ["c:/git/shell/msys64/connectors", "/connectors"],
    ["C:/PortableGit/quotes/1", "/quotes/1"],
  ])("%j is %j", (text, path) => {
    expect(get(text)).toBe(path)
  })

  it.each([
    ["C:/Program Files/Git/rates", "/rates"],
    ["C:/Program Files/Git/connector-a/rates", "/connector-a/rates"],
    ["C:/Program Files/Git/connector-a/shipments", "/connector-a/shipments"],
    ["C:/Program Files/Git/shipments/abc/print", "/shipments/abc/print"],
    ["D:/tools/shell/connector-a/pickups", "/connector-a/pickups"],
  ])("for POST, %j is %j", (text, path) => {
    expect(post(text)).toBe(path)
  })

  it.each([
    "D:/tools/connector-a/rates",
    "D:/tools/rates",
  ])("%j is refused, as it may mean two things", (text) => {
    expect(() => post(text)).toThrow("path of this computer")
  })

  it.each(["C:/Windows/notepad.exe", "C:/", "C:\\"])("%j is refused as a path of this computer", (text) => {
    expect(() => get(text)).toThrow("path of this computer")
  })
})

describe("the parts that a server sees", () => {
  it.each([
    ["/connector-a/shipments", ["connector-a", "shipments"]],
    ["/connector-a/shipments/", ["connector-a", "shipments"]],
    ["//connector-a//shipments", ["connector-a", "shipments"]],
    ["/connector-a/%73hipments?x=1", ["connector-a", "shipments"]],
    ["/x/../connector-a/shipments", ["connector-a", "shipments"]],
    ["/x/%2e%2e/connector-a/shipments", ["connector-a", "shipments"]],
    ["/a%2Fb/shipments", ["a/b", "shipments"]],
  ])("of %j are %j", (path, parts) => {
    expect(partsOf(path)).toEqual(parts)
  })

  it("are none of a broken code", () => {
    expect(() => partsOf("/100%/shipments")).toThrow("%25")
  })
})
