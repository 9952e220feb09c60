import path from "node:path"
import { maskAddress } from "../config/keys.ts"
import { serviceFolder } from "../config/resolve.ts"
import { type Api, APIS, workstation } from "../config/settings.ts"
import { grouped } from "../contract/counted.ts"
import type { Deps } from "../deps.ts"
import { ledgerFile } from "../ledger/open.ts"
import { LONGEST_CELL, LONGEST_ROW, MOST_COLUMNS, MOST_INPUT_BYTES, MOST_SHIPMENTS } from "../limits.ts"
import { spoolDir } from "../sandbox/world.ts"
import type { Block } from "./page.ts"

/** Where this machine keeps things, for the profile in use or the sandbox. */
export async function topic({ config, stateDir, env, globals, settings }: Deps): Promise<Block[]> {
  const folderOf = (api: Api) => path.join(stateDir, serviceFolder(globals, settings, api))
  const services = [...new Set(APIS.map(folderOf))]
  const ledger = globals.sandbox ? undefined : settings.value("ledger")
  return [
    { text: "As they are on this machine. What is not there yet is made when it is needed." },
    { heading: "Profiles, keys and saved addresses:", lines: [config.file] },
    { heading: "What this machine remembers:", lines: [stateDir] },
    {
      heading: "The ledger, which keeps a booking from being made twice (never remove it):",
      lines: [
        ledger
          ? maskAddress(ledger)
          : ledgerFile(globals.sandbox ? path.join(stateDir, "sandbox") : stateDir),
      ],
    },
    {
      heading: "Of the service that the profile in use talks to:",
      lines: services,
    },
    {
      heading: "In it:",
      list: [
        ["drafts", "bookings that were begun and not finished, for freight book --resume"],
        ["quotes", "rates of the last 48 hours, for freight book --rate"],
        ["devices", `the print device of each workstation; this one is ${workstation(env)}`],
        ["seen", "connectors, services, devices and shipments as last seen, also for the Tab key"],
        ["tracked", "events that freight track --new has shown"],
      ],
    },
    {
      heading: "What the sandbox printed:",
      lines: [spoolDir(path.join(stateDir, "sandbox"))],
    },
    {
      heading: "Labels:",
      list: [
        [
          "label-SHIPMENT.pdf",
          "in the folder where freight is run, unless --output, --dir or --merge says otherwise",
        ],
      ],
    },
    {
      heading: "How much is read at most:",
      list: [
        ["an input", `${grouped(MOST_INPUT_BYTES)} bytes; invoices and batches in files may be longer`],
        [
          "a batch",
          `${grouped(MOST_COLUMNS)} columns, ${grouped(LONGEST_ROW)} characters a row, ${grouped(LONGEST_CELL)} a cell`,
        ],
        ["shipments list --all", `${grouped(MOST_SHIPMENTS)} shipments`],
      ],
    },
    {
      text: "FREIGHT_CONFIG_DIR and FREIGHT_STATE_DIR name other folders. freight doctor tells whether they can be written, and whether others can read your keys.",
    },
  ]
}
