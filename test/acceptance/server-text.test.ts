/** A server's text is shown whole, safely and in its place. A reply that was cut off is not used. */
import { existsSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { altered, type Passing } from "./altered.ts"
import { fresh, orderDesk } from "./batches.ts"
import { booked, bookingDesk } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { order } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

const isPost = ({ method, path: at }: Passing, end: string) => method === "POST" && at.endsWith(end)

describe("a reply that repeats the keys", () => {
  const repeating = (status?: number) =>
    altered(sandbox, (reply) => {
      if (reply.path.includes("__sandbox")) return
      const keys = `${sandbox.freightApiKey} ${sandbox.directPrintApiKey}`
      if (status !== undefined && isPost(reply, "/shipments")) {
        reply.status = status
        reply.change(() => ({ message: keys, errors: [{ field: keys, code: keys, message: keys }] }))
      } else if (isPost(reply, "/shipments"))
        reply.change((body) => ({ ...Object(body), consignmentNumber: keys, extra: { [keys]: [keys] } }))
    })
  const expectNoKeys = async (folder: string, ...texts: string[]) => {
    const { readFile, readdir } = await import("node:fs/promises")
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        // A database's own files go away as it is closed.
        const read = readFile(path.join(entry.parentPath, entry.name), "latin1")
        const isGone = (error: NodeJS.ErrnoException) => error.code === "ENOENT"
        texts.push(await read.catch((error) => (isGone(error) ? "" : Promise.reject(error))), entry.name)
      }
    for (const text of texts)
      for (const key of [sandbox.freightApiKey, sandbox.directPrintApiKey]) expect(text).not.toContain(key)
  }

  it("is shown and kept without them", async () => {
    const made = await bookingDesk(await repeating())
    const ran = await made.book("--verbose", "--label")
    expect([0, 8], ran.stderr).toContain(ran.code)
    expect(ran.json<{ consignmentNumber: string }>().consignmentNumber).toMatch(/^…\S{4} …\S{4}$/)
    const history = await made.freight(["history", "--json"])
    const listed = await made.freight(["ledger", "export"])
    await expectNoKeys(made.folder, ran.stdout, ran.stderr, history.stdout, listed.stdout)
  })

  it("is without them in errors and results", async () => {
    const made = await bookingDesk(await repeating(400))
    const ran = await made.book("--verbose")
    expect(ran.code).toBe(1)
    const raw = await made.freight(["api", "POST", "connector-b/shipments", "--set", "a=1", "--json"])
    const { book, folder } = await orderDesk([order(fresh())], { ...sandbox, ...(await repeating(400)) })
    const batch = await book()
    await expectNoKeys(made.folder, ran.stdout, ran.stderr, raw.stdout, raw.stderr)
    await expectNoKeys(folder, batch.stdout, batch.stderr)
  })
})

describe("the field of a server's error", () => {
  const refusing = (message: string) =>
    altered(sandbox, (reply) => {
      if (!isPost(reply, "/shipments")) return
      reply.status = 400
      reply.change(() => ({
        message: "Validation failed",
        errors: [{ field: "receiver.postcode", code: "X1", message }],
      }))
    })

  it("is shown to people, once", async () => {
    for (const message of ["Required.", "receiver.postcode is required"]) {
      const { freight } = await bookingDesk(await refusing(message))
      const { code, stderr } = await freight(["book", "--file", "booking.json"])
      expect(code).toBe(1)
      expect(stderr.match(/- .*/)?.[0]).toBe(
        message === "Required." ? "- receiver.postcode: Required. (X1)" : `- ${message} (X1)`,
      )
    }
  })

  it("stays apart from the message in JSON", async () => {
    const { book } = await bookingDesk(await refusing("Required."))
    expect(errorIn((await book()).stderr).errors).toEqual([
      { field: "receiver.postcode", code: "X1", message: "Required." },
    ])
  })

  it("is in the results of a batch, in its status, and in the error", async () => {
    const { book, results, freight, file } = await orderDesk([order(fresh())], {
      ...sandbox,
      ...(await refusing("Required.")),
    })
    const ran = await book()
    expect(errorIn(ran.stderr).errors[0].message).toContain("receiver.postcode: Required.")
    expect((await results())[0]?.["freight.error"]).toContain("receiver.postcode: Required.")
    const status = await freight(["batch", "status", file])
    expect(status.stdout).toContain("receiver.postcode: Required.")
  })

  it("is not repeated in the message by the sandbox", async () => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight([
      ...["api", "POST", "connector-b/rates", "--json", "--set", "from.suburb=Alexandria"],
    ])
    expect(code).toBe(1)
    const { errors } = errorIn(stderr) as { errors: { field: string; message: string }[] }
    expect(errors.map(({ field }) => field)).toContain("from.postcode")
    for (const { field, message } of errors) expect(message).not.toContain(field)
  })
})

describe("a reply that is cut", () => {
  const half = (part: string) =>
    altered(sandbox, (reply) => {
      if (reply.path.includes(part)) reply.body = reply.body.subarray(0, reply.body.length / 2)
    })

  it.each([
    [["label"], ["-o", "label.pdf"]],
    [
      ["api", "GET"],
      ["-o", "label.pdf"],
    ],
  ])("is not saved as a label: freight %j", async (words, more) => {
    const { shipmentId } = await booked(sandbox, "connector-a")
    const { freight, folder } = await desk(await half("/label"))
    const what = words[0] === "api" ? `shipments/${shipmentId}/label` : shipmentId
    const { code, stderr } = await freight([...words, what, ...more])
    expect([code, stderr]).toEqual([6, expect.stringContaining("not a complete PDF")])
    expect(existsSync(path.join(folder, "label.pdf"))).toBe(false)
  })

  it("is not printed as JSON by freight api", async () => {
    const { freight } = await desk(await half("/connectors"))
    const { code, stdout } = await freight(["api", "GET", "connectors"])
    expect([code, stdout]).toEqual([6, ""])
  })
})

describe("line breaks in a server's text", () => {
  const forging = (of: (reply: Passing) => boolean, change: Parameters<Passing["change"]>[0]) =>
    altered(sandbox, (reply) => {
      if (of(reply)) reply.change(change)
    })
  const FORGED = "X\nerror: nothing was booked\nnext: freight book"

  it("forge no line in what book --pickup and batch book --pickup say", async () => {
    const reach = await forging(
      (reply) => isPost(reply, "/pickups"),
      (value) => ({ ...value, orderNumber: FORGED }),
    )
    const { book } = await bookingDesk(reach)
    const batch = await orderDesk([order(fresh())], { ...sandbox, ...reach })
    for (const ran of [await book("--pickup"), await batch.book("--pickup")]) {
      expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("X error: nothing was booked")])
      expect(ran.stderr).not.toMatch(/^(error|next):/m)
    }
  })

  it("forge no line in the warning of a carrier that failed", async () => {
    const reach = await forging(
      (reply) => isPost(reply, "/rates"),
      (value) => {
        const [first, ...others] = value.results as object[]
        return { ...value, results: [{ ...first, success: false, error: { message: FORGED } }, ...others] }
      },
    )
    const { freight } = await desk(reach)
    const lane = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "40x30x20@5.5"]
    const { stderr } = await freight(["rate-shop", ...lane])
    expect(stderr).toContain("X error: nothing was booked")
    expect(stderr).not.toMatch(/^(error|next):/m)
  })
})
