import { describe, expect, it } from "vitest"
import { onSameService, withNext } from "../../../src/machine/config/next.ts"
import { type ErrorKind, FreightError, type FreightErrorOptions } from "../../../src/base/errors.ts"

const nextOf = (kind: ErrorKind, options: FreightErrorOptions = {}, words = ["shipments", "list"]) =>
  withNext(new FreightError(kind, "it went wrong", options), words, {}).next

describe("the command to run next", () => {
  it("is the error's own, where it names one", () => {
    expect(nextOf("notFound", { next: "freight connectors" })).toBe("freight connectors")
  })

  it("after a wrong command line is the page of that command", () => {
    expect(nextOf("usage")).toBe("freight help shipments list")
    expect(nextOf("usage", {}, [])).toBe("freight --help")
  })

  it("after a wrong value of a flag is the page too", () => {
    const error = new FreightError("input", '--package: "x" is no package')
    expect(withNext(error, ["book"], {}).next).toBe("freight help book")
  })

  it.each([
    "config",
    "unauthenticated",
    "forbidden",
    "unavailable",
    "timeout",
    "badReply",
  ] as const)("after %s is the doctor", (kind) => {
    expect(nextOf(kind)).toBe("freight doctor")
  })

  it("after an unknown outcome is reconcile", () => {
    expect(nextOf("outcomeUnknown")).toBe("freight reconcile")
  })

  it("is none where the server said that it is busy or down: only waiting helps", () => {
    expect(nextOf("unavailable", { status: 503 })).toBeUndefined()
    expect(nextOf("rateLimited", { status: 429 })).toBeUndefined()
  })

  it("is never the doctor to whoever is there already", () => {
    expect(nextOf("config", {}, ["doctor"])).toBeUndefined()
  })

  it("leaves the rest of the error as it was", () => {
    const error = new FreightError("forbidden", "no", { status: 403, code: "X", hint: "Ask." })
    expect(withNext(error, [], {})).toMatchObject({ status: 403, code: "X", hint: "Ask.", message: "no" })
  })
})

describe("a command of the same service", () => {
  it.each([
    ["freight reconcile", { sandbox: true }, "freight reconcile --sandbox"],
    ["freight book --sandbox", { sandbox: true }, "freight book --sandbox"],
    ["freight auth login", { profile: "acme" }, "freight auth login --profile acme"],
    ["freight auth login --profile new", { profile: "new" }, "freight auth login --profile new"],
    ["freight reconcile", { profile: "a; rm -rf" }, "freight reconcile"],
    ["freight help book", { sandbox: true }, "freight help book"],
    ["freight --help", { profile: "acme" }, "freight --help"],
    ["chmod 600 'file'", { sandbox: true }, "chmod 600 'file'"],
    ["freight doctor", {}, "freight doctor"],
  ])("%s with %j is %s", (next, globals, expected) => {
    expect(onSameService(next, globals)).toBe(expected)
  })
})
