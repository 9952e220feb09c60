/**
 * The command tree. It has only names and one-line purposes; flags and run function are loaded for the called command,
 * so that `--help` and `--version` load nothing else.
 */
import type { CommandDefinition, Flags } from "../command/index.ts"

export interface Entry {
  name: string
  alias?: string
  purpose: string
  /** A command with children takes arguments of its own as well: `batch plan FILE`, `batch plan show FILE`. */
  load?: () => Promise<CommandDefinition>
  children?: readonly Entry[]
}

type Load<T> = () => Promise<T>

/** A command: a named export of a file, or the file's default export. */
function command(
  name: string,
  purpose: string,
  load: Load<CommandDefinition | { default: CommandDefinition }>,
  more?: Partial<Entry>,
): Entry {
  const loadCommand = async () => {
    const loaded = await load()
    return "default" in loaded ? loaded.default : loaded
  }
  return { name, purpose, load: loadCommand, ...more }
}

/** Commands below a word, each in a file of its own. */
function group(name: string, purpose: string, ...children: readonly Entry[]): Entry {
  return { name, purpose, children }
}

/** Commands below a word that share one file. @param purposes of each, by the name of its export */
function family<Name extends string>(
  name: string,
  purpose: string,
  load: Load<Record<NoInfer<Name>, CommandDefinition>>,
  purposes: Readonly<Record<Name, string>>,
): Entry {
  const children = Object.keys(purposes) as Name[]
  return group(
    name,
    purpose,
    ...children.map((child) => command(child, purposes[child], async () => (await load())[child])),
  )
}

export const PROGRAM =
  "Rate-shop, book, label, track and print consignments; check invoices before you submit them, and carriers' bills before you pay them."

export const GLOBAL_FLAGS_HEADING = "Global flags, with any command:"

export const GLOBAL_FLAGS: Flags = {
  sandbox: { about: "use the built-in sandbox: no account, nothing real is booked" },
  profile: { takes: "<name>", about: "use this profile's keys and settings" },
  format: { takes: "<format>", about: "table, json, ndjson, csv, xlsx or value (default: table)" },
  json: { about: "the same as --format json" },
  jsonSchema: { about: "print the JSON Schema of what --json prints" },
  fields: { takes: "<a,b.c>", about: "show these fields only, in this order" },
  noHeader: { about: "CSV without the line of names" },
  noInput: { about: "never ask: fail with what is missing" },
  plain: { about: "ask in plain lines, without redrawing: for screen readers" },
  quiet: { about: "no notes and no progress" },
  verbose: { about: "show each HTTP exchange, keys masked" },
  timeout: { takes: "<seconds>", about: "give up on a reply after this long (default: 30)" },
  noColor: { about: "no colour" },
}

/** `freight help`, whose pages the program itself makes. */
export const HELP_COMMAND: CommandDefinition = {
  about:
    "Shows the page of a command or a topic; alone, the list of topics. With --json, the whole command tree as data.",
  args: [{ takes: "[about...]", about: "a command, such as invoice new, or a topic" }],
  flags: { all: { about: "of a command: also the flags that are seldom needed" } },
  formats: ["table", "json"],
  examples: [
    "freight help book",
    "freight help batch book --all",
    "freight help exit-codes",
    "freight help files --sandbox",
    "freight help --json",
  ],
  run: async () => undefined,
}

export const HELP: Entry = {
  name: "help",
  purpose: "show the page of a command or a topic",
  load: async () => HELP_COMMAND,
}

const loadDisputes = () => import("../commands/disputes.ts")

const DISPUTES: Readonly<Record<string, readonly [purpose: string, load: Load<CommandDefinition>]>> = {
  show: ["show one dispute, with each step", async () => (await loadDisputes()).show],
  letter: ["write a letter to the carrier about a bill", async () => (await loadDisputes()).letter],
  sent: ["record that a dispute was sent to the carrier", async () => (await loadDisputes()).sent],
  answered: ["record that the carrier answered", async () => (await loadDisputes()).answered],
  credited: ["record a credit that is on no bill", async () => (await loadDisputes()).credited],
  denied: ["record that the carrier will not pay", async () => (await loadDisputes()).denied],
  "written-off": ["write off what the carrier does not pay", async () => (await loadDisputes()).writtenOff],
  reopen: [
    "reverse the last credited, denied or written-off step",
    async () => (await loadDisputes()).reopen,
  ],
  moved: ["record transfers from or to the clearing account", async () => (await loadDisputes()).moved],
  credits: ["list credits that exceed their disputes", async () => (await loadDisputes()).credits],
  confirm: ["use a credit of another consignment for a dispute", async () => (await loadDisputes()).confirm],
}

export const TREE: readonly { group: string; entries: readonly Entry[] }[] = [
  {
    group: "Ship:",
    entries: [
      command(
        "rate-shop",
        "compare the prices and arrivals of all carriers",
        () => import("../commands/rate-shop.ts"),
        { alias: "rates" },
      ),
      command("book", "book a consignment", () => import("../commands/book.ts")),
      group(
        "batch",
        "book the rows of a file",
        command(
          "template",
          "write a file of orders to fill in",
          () => import("../commands/batch-template.ts"),
        ),
        command(
          "plan",
          "price a file of orders, for approval before booking",
          () => import("../commands/batch-plan.ts"),
          {
            children: [
              command(
                "show",
                "show a plan as a table, with its total and hash",
                async () => (await import("../commands/batch-plan.ts")).show,
              ),
            ],
          },
        ),
        command("book", "book each row once", () => import("../commands/batch-book.ts")),
        command("status", "show the result of each row", () => import("../commands/batch-status.ts")),
        command("maps", "list and remove saved maps of columns", () => import("../commands/batch-maps.ts")),
      ),
      command(
        "dispatched",
        "write a shop's import file of tracking numbers",
        () => import("../commands/dispatched.ts"),
      ),
      command("track", "show where consignments are", () => import("../commands/track.ts")),
      command("label", "save labels as PDF", () => import("../commands/label.ts")),
      family("pickup", "have a carrier collect goods", () => import("../commands/pickup.ts"), {
        book: "book a pickup, for a shipment or on its own",
        show: "show one pickup",
        told: "record that the carrier knows of added shipments",
      }),
      command(
        "manifest",
        "list a day's collections for the drivers to sign",
        () => import("../commands/manifest.ts"),
      ),
      family("shipments", "list and show shipments", () => import("../commands/shipments.ts"), {
        list: "list shipments, newest first",
        show: "show one shipment",
      }),
      command(
        "connectors",
        "list carrier accounts and their services",
        () => import("../commands/connectors.ts"),
      ),
    ],
  },
  {
    group: "Keep track:",
    entries: [
      command("today", "show what needs someone, worst first", () => import("../reports/today/report.ts")),
      command(
        "history",
        "show what this machine sent, and what it cost",
        () => import("../reports/history.ts"),
      ),
      command(
        "reconcile",
        "settle requests whose outcome is unknown",
        () => import("../commands/reconcile.ts"),
      ),
      command(
        "cancel",
        "say who can cancel a booking, and record the answer",
        () => import("../commands/cancel.ts"),
      ),
      group(
        "report",
        "show how carriers performed, and what was spent",
        command(
          "carriers",
          "compare carriers: on time, days, prices, over-billing",
          () => import("../reports/carriers.ts"),
        ),
        command("spend", "add up the cost of bookings", () => import("../reports/spend.ts")),
        command(
          "savings",
          "compare your choices with always the cheapest or fastest",
          () => import("../reports/savings.ts"),
        ),
        command(
          "accruals",
          "list bookings that are not billed yet",
          () => import("../reports/accruals/report.ts"),
        ),
        command(
          "disputes",
          "add up what was disputed, credited and written off",
          () => import("../reports/disputes.ts"),
        ),
        command(
          "clearing",
          "list the clearing account, and what to move",
          () => import("../reports/clearing.ts"),
        ),
      ),
    ],
  },
  {
    group: "Check carriers' bills:",
    entries: [
      command("audit", "compare carriers' bills with what was booked", () => import("../commands/audit.ts")),
      command(
        "disputes",
        "list what is disputed with carriers, until it is settled",
        async () => (await import("../commands/disputes.ts")).list,
        {
          children: Object.entries(DISPUTES).map(([name, [purpose, load]]) => command(name, purpose, load)),
        },
      ),
      command(
        "evidence",
        "show all of one shipment on a page, for a dispute",
        () => import("../commands/evidence.ts"),
      ),
      command(
        "post",
        "write audited bills for Xero, MYOB or QuickBooks",
        () => import("../commands/post.ts"),
      ),
      command("pay", "list the bills to pay, and record payments", () => import("../commands/pay.ts")),
      command(
        "remittance",
        "write remittance advices to suppliers",
        () => import("../commands/remittance.ts"),
      ),
    ],
  },
  {
    group: "Print:",
    entries: [
      family("print", "print labels and PDFs on a print device", () => import("../commands/print.ts"), {
        label: "print the labels of shipments",
        pdf: "print any PDF",
      }),
      family(
        "devices",
        "choose the print device of this workstation",
        () => import("../commands/devices.ts"),
        {
          list: "list the active devices",
          use: "choose this workstation's device",
          forget: "forget this workstation's device",
        },
      ),
    ],
  },
  {
    group: "Check invoices:",
    entries: [
      group(
        "invoice",
        "check, show and write invoices",
        command(
          "validate",
          "find what is wrong, and where",
          async () => (await import("../commands/invoice-validate.ts")).validate,
        ),
        command(
          "list",
          "list invoices with amounts and verdicts",
          async () => (await import("../commands/invoice-validate.ts")).list,
        ),
        command("show", "show an invoice as a page", () => import("../commands/invoice-show.ts")),
        command(
          "new",
          "write a draft, with its totals worked out",
          () => import("../commands/invoice-new.ts"),
        ),
        command(
          "correct",
          "cancel, change or credit an invoice that was sent",
          () => import("../commands/invoice-correct.ts"),
        ),
        command("rules", "list what invoices are checked for", () => import("../commands/invoice-rules.ts")),
        command(
          "schema",
          "print the JSON Schema of an invoice",
          () => import("../commands/invoice-schema.ts"),
        ),
      ),
    ],
  },
  {
    group: "Keep for next time:",
    entries: [
      family("address", "keep addresses, to use them by name", () => import("../commands/address.ts"), {
        list: "list the saved addresses",
        add: "save an address",
        remove: "remove addresses",
      }),
      family("party", "keep suppliers and customers of invoices", () => import("../commands/party.ts"), {
        list: "list the saved parties",
        add: "save a supplier or a customer",
        remove: "remove parties",
      }),
      family(
        "package",
        "keep sizes of packages, to use them by name",
        () => import("../commands/package.ts"),
        { list: "list the saved packages", add: "save a package", remove: "remove packages" },
      ),
      family("places", "add suburbs that freight does not know", () => import("../commands/places.ts"), {
        list: "list the added places",
        add: "add a place",
        remove: "remove places",
      }),
    ],
  },
  {
    group: "Set up and develop:",
    entries: [
      family("auth", "sign in with your keys, and out", () => import("../commands/auth.ts"), {
        login: "try keys, save them, and set up this workstation",
        status: "show which keys are used, and whether they work",
        logout: "remove keys from this machine",
      }),
      family("config", "show and change settings", () => import("../commands/config.ts"), {
        list: "list all settings, and where they come from",
        get: "print one value",
        set: "save a setting",
        unset: "remove settings",
        path: "print where the settings file is",
      }),
      family("profile", "keep several accounts apart", () => import("../commands/profile.ts"), {
        list: "list the profiles",
        use: "choose the profile in use",
        remove: "remove a profile",
      }),
      command(
        "doctor",
        "find what is wrong with the set-up, and how to fix it",
        () => import("../commands/doctor.ts"),
      ),
      family("ledger", "show, copy, export and prune the ledger", () => import("../commands/ledger.ts"), {
        status: "show where the ledger is, and how large",
        account: "say which account an API key belongs to",
        copy: "copy the ledger, for example to a team's database",
        export: "write the ledger as NDJSON",
        prune: "remove old settled entries",
        accept: "accept that the ledger is gone or older",
      }),
      command("mcp", "serve an assistant over standard input and output", () => import("../commands/mcp.ts")),
      command("api", "call any endpoint, for what has no command", () => import("../commands/api.ts")),
      command(
        "completion",
        "complete commands, flags and values at the Tab key",
        () => import("../commands/completion.ts"),
      ),
      group(
        "sandbox",
        "serve, bill or empty the built-in sandbox",
        command(
          "start",
          "serve both APIs to other programs",
          async () => (await import("../commands/sandbox.ts")).start,
        ),
        command(
          "bill",
          "write its carriers' bills, to rehearse an audit",
          () => import("../commands/sandbox-bill.ts"),
        ),
        command("reset", "empty the sandbox", async () => (await import("../commands/sandbox.ts")).reset),
      ),
    ],
  },
]

export const ENTRIES: readonly Entry[] = [...TREE.flatMap(({ entries }) => entries), HELP]

/** @param words `["pickup", "book"]` @returns undefined when they name none */
export function findEntry(words: readonly string[], among = ENTRIES): Entry | undefined {
  const [word, ...below] = words
  const found = among.find(({ name, alias }) => name === word || alias === word)
  return found && below.length > 0 ? findEntry(below, found.children ?? []) : found
}
