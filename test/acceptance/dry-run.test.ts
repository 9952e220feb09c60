/** A dry run knows everything that a real run knows, even on a machine that never listed the account's connectors. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { address, booking } from "../sandbox/requests.ts"
import { ownBooking } from "./bookings.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

const PICKUP = {
  ...{ pickupDate: "2030-11-25", readyTime: "10:00", closeTime: "17:00" },
  ...{ collection: address(), items: booking().items, receiver: address() },
}

/** A new machine with a request in a file. */
async function newDesk(request: object) {
  const made = await desk(sandbox)
  await writeFile(path.join(made.folder, "request.json"), JSON.stringify(request))
  return made
}

describe("a dry run on a new machine", () => {
  it.each<[what: string, command: string[], request: object, says: string]>([
    [
      "a booking outside the carrier's window",
      ["book", "--connector", "connector-a"],
      {
        ...ownBooking(),
        serviceCode: "76",
        collectionDateTime: "2030-11-25T18:00:00",
        collectionCloseTime: "2000",
      },
      "carrier A accepts 07:00 to 17:00",
    ],
    [
      "a payer that the carrier does not take",
      ["book", "--connector", "connector-a"],
      { ...ownBooking(), serviceCode: "76", payer: { type: "ThirdParty", accountNumber: "800123" } },
      "which carrier A does not take",
    ],
    [
      "a service that the connector does not offer",
      ["book", "--connector", "connector-a"],
      { ...ownBooking(), serviceCode: "GEN" },
      "(carrier A) does not offer service",
    ],
    [
      "a pickup without the service that the carrier needs",
      ["pickup", "book", "--connector", "connector-c"],
      PICKUP,
      "serviceCode is missing: carrier C needs it to book a pickup",
    ],
  ])("refuses %s, as the run does", async (_what, command, request, says) => {
    const words = [...command, "--file", "request.json", "--json"]
    const dry = await (await newDesk(request)).freight([...words, "--dry-run"])
    const run = await (await newDesk(request)).freight(words)
    expect(run.code).toBe(2)
    expect(run.stderr).toContain(says)
    expect(dry.code).toBe(2)
    expect(dry.stderr).toContain(says)
    expect(dry.stdout).toBe("")
  })

  it.each([
    ["book", ownBooking()],
    ["pickup book", PICKUP],
  ])("goes on where the API cannot be asked: %s", async (command, request) => {
    const { freight, folder } = await desk()
    await writeFile(path.join(folder, "request.json"), JSON.stringify(request))
    const words = [...command.split(" "), "--file", "request.json", "--connector", "connector-c"]
    const { code, json } = await freight([...words, "--dry-run", "--json"])
    expect(code).toBe(0)
    expect(json()).toMatchObject({ collection: request.collection })
  })
})
