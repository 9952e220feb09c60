/** The pages of `freight help TOPIC`. */
import { EXIT, EXIT_MEANINGS, KINDS } from "../../base/errors.ts"
import type { Block } from "./page.ts"
import {
  maskAddress,
  OWN_VARIABLES,
  serviceFolder,
  SHARED_VARIABLES,
  variable,
  type Variable,
  workstation,
} from "../../machine/index.ts"
import { type Api, APIS } from "../../contract/index.ts"
import type { Deps } from "../../session/index.ts"
import { REPORT_FORMATS } from "../../invoice/index.ts"
import { type Format, FORMATS } from "../../output/index.ts"
import path from "node:path"
import { grouped } from "../../base/counted.ts"
import { ledgerFile } from "../../ledger/index.ts"
import {
  DEEPEST,
  MAX_CELL_LENGTH,
  MAX_ROW_LENGTH,
  MAX_COLUMNS,
  MAX_INPUT_BYTES,
  MAX_SHIPMENTS,
} from "../../base/limits.ts"
import { spoolDir } from "../../sandbox/index.ts"
import {
  carrierName,
  CARRIERS,
  type CollectionWindow,
  findCarriersThat,
  getCarrierFacts,
  nameCarriers,
} from "../../carriers/index.ts"
import { SHAPES, THINGS } from "./terms.ts"
import type { TopicName } from "./topics.ts"

export const PAGES: Readonly<Record<TopicName, (deps: Deps) => Block[] | Promise<Block[]>>> = {
  "exit-codes": exitCodesPage,
  environment: environmentPage,
  formats: formatsPage,
  json: jsonPage,
  files: filesPage,
  doubles: doublesPage,
  wishes: wishesPage,
  time: timePage,
}

function exitCodesPage(): Block[] {
  return [
    { text: "Each command ends with one of these codes. It tells a script what to do next." },
    { heading: "Exit codes:", list: codes().map(([name, code]) => [String(code), EXIT_MEANINGS[name]]) },
    {
      heading: "In a shell:",
      lines: [
        "freight book --file order.json --key ORDER-17 --label",
        "case $? in",
        "  0) ;;                                   # booked, and the label is saved",
        '  6) sleep 60; exec "$0" ;;               # nothing was created: again',
        "  7) freight reconcile ;;                 # never again by itself: look first",
        '  *) echo "ORDER-17 needs a person" >&2 ;;',
        "esac",
      ],
    },
    {
      heading: "With --json an error also has a kind, which says more:",
      list: codes().flatMap(([, code]): [string, string][] => {
        const kinds = Object.entries(KINDS).filter(([, { exit }]) => exit === code)
        return kinds.length > 0 ? [[String(code), kinds.map(([kind]) => kind).join(", ")]] : []
      }),
    },
    { text: "freight help formats shows the whole of such an error." },
  ]
}

function codes(): [keyof typeof EXIT, number][] {
  return Object.entries(EXIT) as [keyof typeof EXIT, number][]
}

function environmentPage({ env }: Deps): Block[] {
  const rows = (variables: readonly Variable[]) =>
    variables.map(({ names, title }): [string, string] => [
      names.join(", "),
      names.some((name) => variable(env, name) !== undefined) ? `${title} (set here)` : title,
    ])
  return [
    {
      text: "A flag beats a variable, a variable beats the profile, the profile beats the default. An empty variable counts as not set.",
    },
    { heading: "Of freight:", list: rows(OWN_VARIABLES) },
    { heading: "Of the network, the terminal and the system:", list: rows(SHARED_VARIABLES) },
    { text: "A key in the environment is sent to the address in the environment: set both, or neither." },
    { heading: "What is used here, and where each value comes from:", lines: ["freight config list"] },
  ]
}

const MEANINGS: Readonly<Record<Format, string>> = {
  table: "for people; columns that do not fit the terminal are left out (default)",
  json: "whole; the same on a terminal and in a pipe: freight help json",
  ndjson: "one JSON object to a line",
  csv: "for spreadsheets: a text that would run as a formula gets an apostrophe",
  value: "bare values of the fields that --fields names, with tabs between: id=$(freight book …)",
  xlsx: "a workbook for Excel and other spreadsheets; into a file or a pipe, never to a terminal",
}

function jsonPage(): Block[] {
  const plain = (text: string) => text.replaceAll("`", "")
  return [
    { text: "Every command that prints JSON prints it in these shapes, and each thing has one name in it." },
    ...SHAPES.map(([answer, json]) => ({ text: `The JSON ${plain(answer)}: ${plain(json)}.` })),
    {
      heading: "Names:",
      list: THINGS.map(([thing, name]): [string, string] => {
        const [, before = "", first = "", after = ""] = /^([^`]*)`([^`]+)`(.*)$/s.exec(name) ?? []
        const rest = plain(after).replace(/^[;,:]\s*/, "")
        return [first, `${plain(thing)}${rest === "" ? "" : `; ${before}${rest}`}`]
      }),
    },
    { heading: "What one command prints, as JSON Schema:", lines: ["freight track --json-schema"] },
  ]
}

function formatsPage(): Block[] {
  const more = REPORT_FORMATS.filter((format) => !FORMATS.some((each) => each === format))
  return [
    {
      text: "Standard output carries data and nothing else. Notes, progress, questions, warnings and errors go to standard error; --quiet leaves out notes and progress.",
    },
    { heading: "--format takes:", list: FORMATS.map((format) => [format, MEANINGS[format]]) },
    {
      text: `--json is short for --format json. freight invoice validate also takes ${more.join(", ")}; freight invoice list takes html.`,
    },
    {
      heading: "--fields picks fields, dotted where they are inside others:",
      lines: [
        "freight shipments list --sandbox --format csv --fields id,consignmentNumber,status",
        "freight connectors --sandbox --json --fields connectorId,carrier",
      ],
    },
    {
      heading:
        "With --json and ndjson each line on standard error is JSON: notes, warnings, and last the error, if the command fails:",
      list: [
        ["kind", "what went wrong, in a word: freight help exit-codes lists them all"],
        ["code", "what a script chooses by, such as BOOKED_ALREADY"],
        ["message, hint", "what is wrong, and what to do, for a person"],
        ["status, apiCode", "what the server answered, if it did"],
        ["shipmentId", "the shipment that it is about"],
        ["errors", "each single error, or what went wrong with each target"],
        ["retry", "safe: run it again; after: run it again after retryAfter seconds; never: do not"],
        ["next", "the command to run next"],
        ["nextArgs", "the same as arguments, where a script may run it as it stands"],
      ],
      text: '{"note"} {"warning"} {"error":{"kind","code","message","retry",…}}',
    },
  ]
}

/** The folders and files of this machine, for the profile in use or the sandbox. */
async function filesPage({ config, stateDir, env, globals, settings }: Deps): Promise<Block[]> {
  const folderOf = (api: Api) => path.join(stateDir, serviceFolder(globals, settings, api))
  const services = [...new Set(APIS.map(folderOf))]
  const ledger = globals.sandbox ? undefined : settings.value("ledger")
  return [
    { text: "The paths on this machine. Missing files and folders are created when they are needed." },
    { heading: "Profiles, keys and saved addresses:", lines: [config.file] },
    { heading: "What this machine remembers:", lines: [stateDir] },
    {
      heading: "The ledger, which prevents double bookings (never remove it):",
      lines: [
        ledger
          ? maskAddress(ledger)
          : ledgerFile(globals.sandbox ? path.join(stateDir, "sandbox") : stateDir),
      ],
    },
    { heading: "Of the service that the profile in use talks to:", lines: services },
    {
      heading: "In it:",
      list: [
        ["drafts", "unfinished bookings, for freight book --resume"],
        ["quotes", "rates of the last 48 hours, for freight book --rate"],
        ["devices", `the print device of each workstation; this one is ${workstation(env)}`],
        ["seen", "connectors, services, devices and shipments as last seen, also for the Tab key"],
        ["tracked", "events that freight track --new has shown"],
        ["handed-over", "changes that freight track --exec has run a command for"],
      ],
    },
    { heading: "What the sandbox printed:", lines: [spoolDir(path.join(stateDir, "sandbox"))] },
    {
      heading: "Labels:",
      list: [
        [
          "REFERENCE.pdf",
          "CONSIGNMENT.pdf if there is no reference; in the current folder, unless --output, --dir, --merge or --label-name says otherwise",
        ],
      ],
    },
    {
      heading: "How much is read at most:",
      list: [
        ["an input", `${grouped(MAX_INPUT_BYTES)} bytes; invoices and batches in files may be longer`],
        [
          "a batch",
          `${grouped(MAX_COLUMNS)} columns, ${grouped(MAX_ROW_LENGTH)} characters a row, ${grouped(MAX_CELL_LENGTH)} a cell`,
        ],
        ["JSON, in replies too", `${grouped(DEEPEST)} arrays and objects inside one another`],
        ["shipments list --all", `${grouped(MAX_SHIPMENTS)} shipments`],
      ],
    },
    {
      text: "FREIGHT_CONFIG_DIR and FREIGHT_STATE_DIR name other folders. freight doctor checks whether they can be written, and whether others can read your keys.",
    },
  ]
}

function doublesPage(): Block[] {
  return [
    {
      text: "Every booking, pickup and print is written into the ledger before it is sent, and its outcome after. freight help files says where the ledger is; never remove it.",
    },
    {
      heading: "What it prevents:",
      list: [
        ["one key", "an order booked under --key or a row's reference is never booked again under it"],
        [
          "one order",
          "the same packages to the same receiver under the same number are refused; without any number, an equal booking is refused for 24 hours. --again books it",
        ],
        [
          "a lost reply",
          "exit code 7: that order is not sent again until freight reconcile or a person has settled it",
        ],
        ["a second pickup", "of the same shipment is refused. --again books it"],
      ],
    },
    {
      heading:
        "Before it books, freight also reads the list of shipments for what was booked in the portal or with another ledger. It cannot see:",
      list: [
        ["the same minute", "two ledgers can both book one order between the look and the booking"],
        ["another key", "bookings of other API keys, where yours is shown its own shipments only"],
        ["an equal one", "that two equal shipments of one order are two: either may be taken for the other"],
        ["an old one", "bookings of more than 14 days before the first look"],
      ],
    },
    {
      heading: "Use one ledger for all who book with the account:",
      lines: [
        "freight ledger copy --to-ledger postgres://freight@db.example/freight",
        "freight config set ledger postgres://freight@db.example/freight",
      ],
    },
  ]
}

function wishesPage(): Block[] {
  return [
    {
      text: "The same flags for rate-shop, book and batch book. Of the services that meet all of them, freight takes the best one by price, by arrival or by what really happened, and says why.",
    },
    {
      heading: "The flags:",
      list: [
        ["--service", "cheapest or fastest; or a code, which then has to meet the other wishes"],
        ["", "best-value: the cheapest by what carriers billed for such quotes"],
        ["", "reliable: of those that were in time 90 % of the time, the likely cheapest"],
        ["--within", "3d: it arrives at most this many days after the day of collection"],
        ["--arrive-by", "2026-11-25, friday, or with a time"],
        ["--on-time", "90%: it came in time this often, where 20 deliveries or more are known"],
        ["--max-price", "the highest price, with GST"],
        ["--avoid", "a service code, a carrier (A) or a connector; repeatable. None: nothing is avoided"],
      ],
    },
    {
      text: "In a file of orders the columns are service, within, arriveBy, onTime, maxPrice and avoid. For each wish, a row's own value beats the flag, and the flag beats the profile.",
    },
    {
      heading: "Standing rules, in the profile:",
      lines: [
        "freight config set service cheapest",
        "freight config set maxPrice 90",
        "freight config set avoid GEN,B",
      ],
    },
    {
      heading: "Where something unknown affects the choice, freight says so:",
      list: [
        [
          "GST",
          `prices are compared with GST, and so are limits; only ${nameCarriers(findCarriersThat("statesGst"))} states it, so a tenth is added to others, unless freight config set gst A=included says that it is in, or three consignments on bills that freight audit has seen agree on it`,
        ],
        [
          "days",
          `given by ${nameCarriers(findCarriersThat("givesTransitDays"))} without saying whether weekends count: freight assumes that they do`,
        ],
        ["hidden services", "services that your account hides are taken only if nothing else fits"],
        [
          "no answer",
          "a carrier did not answer in time: freight asks at a terminal, and in a script books nothing (exit 6) without --without-missing",
        ],
      ],
    },
    {
      heading:
        "What freight has learned, for best-value, reliable, --on-time, ON TIME and LIKELY, and report savings:",
      list: [
        [
          "from what",
          "deliveries and audited bills of this ledger, promised in the last 180 days (freight config set evidenceDays 90); from postcode area to postcode area, which are the first two digits, else from state to state, else all",
        ],
        ["how often in time", "of the deliveries that are known, the share that came by the promised day"],
        ["likely price", "the quote with GST, times the ratio of billed (less credits) to quoted"],
        [
          "not taken",
          "is an estimate: its own quote times that ratio, and the share of such deliveries in time",
        ],
        ["fewer than 20", "are too few to say: the quote and the promise count"],
      ],
    },
    {
      text: "If nothing meets the wishes, nothing is booked, freight lists the nearest misses, and the exit code is 1.",
    },
  ]
}

function describeWindow({ ready, close, gapMinutes }: CollectionWindow): string {
  return `ready from ${ready.from} to ${ready.to}, close from ${close.from} to ${close.to}, both ends included, and ${gapMinutes / 60} hours between the two`
}

function timePage(): Block[] {
  return [
    {
      text: "Collection times are local to the collection address, wherever this machine is. They have no time zone, and freight refuses one: 10:00 in Perth is 10:00 in Perth.",
    },
    {
      heading: "How to write them:",
      list: [
        [
          "--ready",
          "2026-11-23T10:00, tomorrow 10am, mon 2pm or in 2 days; where the day is given separately, as in freight pickup book --date, 10:00 or 10am",
        ],
        ["--close", "17:00, 1700 or 5pm, on the same day"],
        ["--date", "2026-11-23; left out, it is today at the collection address"],
        ["--since", "2026-11-01, local time of this machine, or how far back: 12h, 7d, 4w"],
        ["--wait", "seconds, as for --timeout and --interval"],
      ],
    },
    {
      heading: "What carriers accept:",
      list: [
        [
          "all of them",
          "a ready time in the future, and a close time after it; --allow-past accepts past times. freight warns about weekends",
        ],
        ...CARRIERS.flatMap((carrier) => {
          const window = getCarrierFacts(carrier)?.collectionWindow
          return window ? [[carrierName(carrier), describeWindow(window)] as const] : []
        }),
      ],
    },
    {
      heading: "How to read what comes back:",
      list: [
        ["BOOK BY", "the latest booking that the carrier still takes that day"],
        ["COLLECT BY", "the latest collection that day"],
        ["2026-11-30 17:00", "arrival as the carrier gives it, without a time zone"],
        ["5 days", "days in transit; the carrier does not say whether weekends count"],
        ["a quote", "can be booked for 48 hours, by this machine's clock"],
      ],
    },
    {
      text: "This machine's clock decides how old quotes are and what today is: freight doctor compares it with the server's.",
    },
  ]
}
