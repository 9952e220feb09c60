/** A machine whose shells complete `freight`: the built binary on the path, and a memory of what it has seen. */
import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { ownBooking } from "../acceptance/bookings.ts"
import { desk, ROOT, getShellCommand } from "../acceptance/freight.ts"

export const SCRIPTS = path.join(ROOT, "completions")

/** Names that a shell could stumble over; the last two no shell may offer. */
const ADDRESSES = {
  warehouse: party("Harbour Lighting", "Alexandria", "NSW", "2015"),
  "Port Street": party("Port Street Fittings", "Fremantle", "WA", "6160"),
  "O'Brien & Co": party("O'Brien: tools", "Hobart", "TAS", "7000"),
  "$(touch ran) `touch ran`": party("\u0007\u001b[31mRed\u001b[0m\nlines\ttabs", "Perth", "WA", "6000"),
  "two\nlines": party("Two", "Perth", "WA", "6000"),
  "esc\u001b[2Jape": party("Escape", "Perth", "WA", "6000"),
}

function party(companyName: string, suburb: string, state: string, postcode: string) {
  return { companyName, address1: "1 Street", suburb, state, postcode }
}

export interface ShellDesk {
  folder: string
  env: Record<string, string>
}

/** Its files: `booking.json`, `paper 1.pdf`, and the folder `labels`. It has booked SO-17 and SO-18 in the sandbox. */
export async function shellDesk(): Promise<ShellDesk> {
  const { folder, env, state, freight } = await desk()
  for (const reference of ["SO-17", "SO-18"]) {
    const words = ["book", "--sandbox", "--file", "-", "--reference", reference, "--connector", "connector-b"]
    const { code, stderr } = await freight([...words, "--service", "GEN", "--yes", "--again"], {
      input: JSON.stringify(ownBooking()),
    })
    if (code !== 0) throw new Error(stderr)
  }
  const bin = path.join(folder, "bin")
  const seen = path.join(state, "sandbox", "seen")
  const files = path.join(folder, "files")
  for (const each of [bin, seen, path.join(files, "labels")]) await mkdir(each, { recursive: true })
  await writeFile(path.join(bin, "freight"), `#!/bin/sh\nexec ${getShellCommand()}\n`, {
    mode: 0o755,
  })
  await writeFile(path.join(files, "booking.json"), "{}")
  await writeFile(path.join(files, "paper 1.pdf"), "")
  await mkdir(path.join(folder, "config"), { recursive: true })
  await writeFile(path.join(folder, "config", "config.json"), JSON.stringify({ addresses: ADDRESSES }))
  await writeFile(
    path.join(seen, "connectors.json"),
    JSON.stringify([
      { id: "connector-a", name: "Sydney", carrier: "CARRIER_A_AU", services: [service("75", "Overnight")] },
      {
        id: "connector-b",
        name: "Perth",
        carrier: "CARRIER_B_AU",
        services: [service("GEN", "General"), service("PRM", "Premium")],
      },
    ]),
  )
  await writeFile(
    path.join(seen, "shipments.json"),
    JSON.stringify([
      { id: "shipment:2", at: "2026-11-21T02:00:00Z", about: "second", consignment: "CON:2:B" },
      { id: "shipment:1", at: "2026-11-20T02:00:00Z", about: "first", consignment: "CON:1" },
    ]),
  )
  return { folder: files, env: { ...env, PATH: `${bin}${path.delimiter}${env.PATH}`, TERM: "xterm" } }
}

function service(serviceCode: string, description: string) {
  return { serviceCode, description }
}
