import { describe, expect, it } from "vitest"
import { completeCommands, onSameService, withNext } from "../../../src/machine/config/next.ts"
import { type ErrorKind, FreightError, type FreightErrorOptions } from "../../../src/base/errors.ts"

const nextOf = (kind: ErrorKind, options: FreightErrorOptions = {}, words = ["shipments", "list"]) =>
  withNext(new FreightError(kind, "it went wrong", options), words, {}).next

describe("the command to run next", () => {
  it("is the error's own, where it names one", () => {
    expect(nextOf("notFound", { next: "freight connectors" })).toBe("freight connectors")
  })

  it("after a wrong command line is the page of that command", () => {
    expect(nextOf("usage")).toBe("freight help shipments list")
    expect(nextOf("usage", {}, [])).toBe("freight help")
  })

  it("after a wrong value of a flag is the page of its command", () => {
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
    const error = new FreightError("forbidden", "no", { status: 403, apiCode: "X", hint: "Ask." })
    expect(withNext(error, [], {})).toMatchObject({ status: 403, apiCode: "X", hint: "Ask.", message: "no" })
  })
})

describe("the arguments to run next", () => {
  const argsOf = (kind: ErrorKind, next: string, words = ["book"], globals = {}) =>
    withNext(new FreightError(kind, "it went wrong", { next }), words, globals).nextArgs

  it.each([
    ["refused", "freight shipments show shp-1", ["shipments", "show", "shp-1"]],
    ["outcomeUnknown", "freight reconcile", ["reconcile"]],
    ["notFound", "freight history --kind shipment", ["history", "--kind", "shipment"]],
    ["input", 'freight label "SO 17" --dir labels', ["label", "SO 17", "--dir", "labels"]],
    ["stepFailed", "freight pickup book shp-1", ["pickup", "book", "shp-1"]],
    ["stepFailed", "freight print label shp-1 --device d-1", ["print", "label", "shp-1", "--device", "d-1"]],
    ["usage", "freight help book", ["help", "book"]],
  ] as const)("after %s are those of %s", (kind, next, args) => {
    expect(argsOf(kind, next)).toEqual(args)
  })

  it("have the service that was asked", () => {
    expect(argsOf("outcomeUnknown", "freight reconcile", [], { sandbox: true })).toEqual([
      "reconcile",
      "--sandbox",
    ])
  })

  it.each([
    ["asks a person", "unauthenticated", "freight auth login"],
    ["books", "refused", "freight book --like SO-17"],
    ["books a pickup that was not asked for", "refused", "freight pickup book shp-1"],
    ["settles by a person's word", "refused", "freight reconcile --duplicate e-1"],
    ["releases", "input", "freight reconcile --release SO-17"],
    ["has a place to fill in", "input", "freight address list NAME"],
    ["is a correction of what was typed", "usage", "freight track shp-1"],
    ["is of another program", "config", "chmod 600 'file'"],
  ] as const)("are none where it %s", (_, kind, next) => {
    expect(argsOf(kind, next)).toBeUndefined()
  })

  it("are none where the same command failed", () => {
    expect(argsOf("notReady", "freight label shp-1", ["label"])).toBeUndefined()
    expect(argsOf("notReady", "freight label shp-1", ["print", "label"])).toEqual(["label", "shp-1"])
  })

  it("stand beside the next command of each target, too", () => {
    const errors = [{ message: "the label: not ready", next: "freight label shp-1" }]
    expect(withNext(new FreightError("stepFailed", "no", { errors }), ["book"], {}).errors).toEqual([
      { ...errors[0], nextArgs: ["label", "shp-1"] },
    ])
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
    ["freight help", { profile: "acme" }, "freight help"],
    ["chmod 600 'file'", { sandbox: true }, "chmod 600 'file'"],
    ["freight doctor", {}, "freight doctor"],
  ])("%s with %j is %s", (next, globals, expected) => {
    expect(onSameService(next, globals)).toBe(expected)
  })
})

describe("commands within a message", () => {
  const SANDBOX = { sandbox: true }

  it.each([
    ["freight reconcile looks for it.", "freight reconcile --sandbox looks for it."],
    [
      'ring the carrier: freight cancel SO-1 says who to call; once it has, freight cancel SO-1 --confirmed "Kim".',
      'ring the carrier: freight cancel --sandbox SO-1 says who to call; once it has, freight cancel --sandbox SO-1 --confirmed "Kim".',
    ],
    [
      "If not: freight pickup book SHIPMENT --again.",
      "If not: freight pickup book --sandbox SHIPMENT --again.",
    ],
    [
      "run freight label A --sandbox, or freight track A",
      "run freight label A --sandbox, or freight track --sandbox A",
    ],
    [
      "freight disputes confirm A B; freight disputes lists them; freight report spend --by carrier",
      "freight disputes confirm --sandbox A B; freight disputes --sandbox lists them; freight report spend --sandbox --by carrier",
    ],
    [
      "Who approves it runs: freight pay plan.json --approved-by NAME",
      "Who approves it runs: freight pay --sandbox plan.json --approved-by NAME",
    ],
    ["freight places add keeps it; freight help book", "freight places add keeps it; freight help book"],
    ["freight sandbox bill, freight batch template", "freight sandbox bill, freight batch template"],
  ])("ask the service that was asked: %s", (said, completed) => {
    expect(completeCommands(said, SANDBOX)).toBe(completed)
    expect(completeCommands(said, {})).toBe(said)
    expect(completeCommands(completed, SANDBOX)).toBe(completed)
  })

  it("are completed in the message, the hint and each error, but not in what names the command line", () => {
    const text = "freight history has it"
    const ofKind = (kind: ErrorKind) =>
      withNext(new FreightError(kind, text, { hint: text, errors: [{ message: text }] }), ["book"], {
        profile: "north",
      })
    const whole = "freight history --profile north has it"
    expect(ofKind("refused")).toMatchObject({ message: whole, hint: whole, errors: [{ message: whole }] })
    expect(ofKind("usage")).toMatchObject({ message: text, hint: whole, errors: [{ message: text }] })
  })
})
