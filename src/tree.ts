/**
 * The command tree. Only names and one-line purposes stand here; a command's flags and its run function are loaded
 * when it is the one that was called, so that `--help` and `--version` load nothing else.
 */
import type { Command } from "commander"
import type { Act } from "./commands/shared/act.ts"

export interface CommandModule {
  define(command: Command, act: Act): void
}

export interface Entry {
  name: string
  alias?: string
  purpose: string
  /** A command with children takes arguments of its own as well: `batch plan FILE`, `batch plan show FILE`. */
  load?: () => Promise<CommandModule>
  children?: readonly Entry[]
}

export const TREE: readonly { group: string; entries: readonly Entry[] }[] = [
  {
    group: "Ship:",
    entries: [
      {
        name: "connectors",
        purpose: "list carrier accounts and their services",
        load: () => import("./commands/connectors.ts"),
      },
      {
        name: "rate-shop",
        alias: "rates",
        purpose: "compare the prices and arrivals of all carriers",
        load: () => import("./commands/rate-shop.ts"),
      },
      { name: "book", purpose: "book a consignment", load: () => import("./commands/book.ts") },
      {
        name: "batch",
        purpose: "book the rows of a file",
        children: [
          {
            name: "template",
            purpose: "a file to fill in",
            load: () => import("./commands/batch-template.ts"),
          },
          {
            name: "plan",
            purpose: "rates and choices to approve before they are booked",
            load: () => import("./commands/batch-plan.ts"),
            children: [
              {
                name: "show",
                purpose: "a plan as a table, with its total and hash",
                load: () => import("./commands/batch-plan-show.ts"),
              },
            ],
          },
          { name: "book", purpose: "each row, once", load: () => import("./commands/batch-book.ts") },
          {
            name: "status",
            purpose: "what came of each row",
            load: () => import("./commands/batch-status.ts"),
          },
          {
            name: "maps",
            purpose: "saved maps of columns",
            load: () => import("./commands/batch-maps.ts"),
          },
        ],
      },
      { name: "track", purpose: "show where consignments are", load: () => import("./commands/track.ts") },
      {
        name: "label",
        purpose: "save labels as PDF",
        load: () => import("./commands/label.ts"),
      },
      {
        name: "pickup",
        purpose: "have a carrier collect goods",
        children: [
          {
            name: "book",
            purpose: "book a pickup, for a shipment or on its own",
            load: () => import("./commands/pickup-book.ts"),
          },
          { name: "show", purpose: "show one pickup", load: () => import("./commands/pickup-show.ts") },
        ],
      },
      {
        name: "manifest",
        purpose: "list a day's collections for the drivers to sign",
        load: () => import("./commands/manifest.ts"),
      },
      {
        name: "shipments",
        purpose: "list and show what was booked",
        children: [
          {
            name: "list",
            purpose: "list shipments, newest first",
            load: () => import("./commands/shipments-list.ts"),
          },
          {
            name: "show",
            purpose: "show one shipment",
            load: () => import("./commands/shipments-show.ts"),
          },
        ],
      },
    ],
  },
  {
    group: "Keep track:",
    entries: [
      {
        name: "today",
        purpose: "show what needs someone, worst first",
        load: () => import("./commands/today.ts"),
      },
      {
        name: "history",
        purpose: "show what this machine sent, and what it cost",
        load: () => import("./commands/history.ts"),
      },
      {
        name: "reconcile",
        purpose: "settle what has no known outcome",
        load: () => import("./commands/reconcile.ts"),
      },
      {
        name: "evidence",
        purpose: "all of one shipment on a page, for a dispute",
        load: () => import("./commands/evidence.ts"),
      },
      {
        name: "cancel",
        purpose: "say whom to call: nothing cancels a booking",
        load: () => import("./commands/cancel.ts"),
      },
      {
        name: "audit",
        purpose: "put carriers' bills beside what was booked",
        load: () => import("./commands/audit.ts"),
      },
      {
        name: "report",
        purpose: "how carriers did, and what was spent",
        children: [
          {
            name: "carriers",
            purpose: "on time, days, prices and over-billing",
            load: () => import("./commands/report-carriers.ts"),
          },
          {
            name: "spend",
            purpose: "what was booked, added up",
            load: () => import("./commands/report-spend.ts"),
          },
        ],
      },
      {
        name: "ledger",
        purpose: "where the ledger is, moving it, all of it",
        children: [
          {
            name: "status",
            purpose: "where it is, how many entries, how large",
            load: () => import("./commands/ledger-status.ts"),
          },
          {
            name: "copy",
            purpose: "copy it to another place, as to a team's database",
            load: () => import("./commands/ledger-copy.ts"),
          },
          {
            name: "export",
            purpose: "write all of it as NDJSON",
            load: () => import("./commands/ledger-export.ts"),
          },
          {
            name: "prune",
            purpose: "remove old settled entries",
            load: () => import("./commands/ledger-prune.ts"),
          },
        ],
      },
    ],
  },
  {
    group: "Print:",
    entries: [
      {
        name: "print",
        purpose: "print labels and PDFs on a print device",
        children: [
          {
            name: "label",
            purpose: "print the labels of shipments",
            load: () => import("./commands/print-label.ts"),
          },
          { name: "pdf", purpose: "print any PDF", load: () => import("./commands/print-pdf.ts") },
        ],
      },
      {
        name: "devices",
        purpose: "choose the print device of this workstation",
        children: [
          {
            name: "list",
            purpose: "list the active devices",
            load: () => import("./commands/devices-list.ts"),
          },
          {
            name: "use",
            purpose: "choose this workstation's device",
            load: () => import("./commands/devices-use.ts"),
          },
          {
            name: "forget",
            purpose: "forget this workstation's device",
            load: () => import("./commands/devices-forget.ts"),
          },
        ],
      },
    ],
  },
  {
    group: "Check invoices:",
    entries: [
      {
        name: "invoice",
        purpose: "check, show and write invoices",
        children: [
          {
            name: "validate",
            purpose: "find what is wrong, and where",
            load: () => import("./commands/invoice-validate.ts"),
          },
          {
            name: "list",
            purpose: "list invoices with amounts and verdicts",
            load: () => import("./commands/invoice-list.ts"),
          },
          {
            name: "show",
            purpose: "show an invoice as a page",
            load: () => import("./commands/invoice-show.ts"),
          },
          {
            name: "new",
            purpose: "write a draft, with its totals worked out",
            load: () => import("./commands/invoice-new.ts"),
          },
          {
            name: "rules",
            purpose: "list what invoices are checked for",
            load: () => import("./commands/invoice-rules.ts"),
          },
          {
            name: "schema",
            purpose: "print the JSON Schema of an invoice",
            load: () => import("./commands/invoice-schema.ts"),
          },
        ],
      },
    ],
  },
  {
    group: "Set up:",
    entries: [
      {
        name: "auth",
        purpose: "sign in with your keys, and out",
        children: [
          {
            name: "login",
            purpose: "try keys, save them, and set up this desk",
            load: () => import("./commands/auth-login.ts"),
          },
          {
            name: "status",
            purpose: "show which keys are used, and whether they work",
            load: () => import("./commands/auth-status.ts"),
          },
          {
            name: "logout",
            purpose: "remove keys from this machine",
            load: () => import("./commands/auth-logout.ts"),
          },
        ],
      },
      {
        name: "config",
        purpose: "show and change settings",
        children: [
          {
            name: "list",
            purpose: "list all settings, and where they come from",
            load: () => import("./commands/config-list.ts"),
          },
          { name: "get", purpose: "print one value", load: () => import("./commands/config-get.ts") },
          { name: "set", purpose: "save a setting", load: () => import("./commands/config-set.ts") },
          { name: "unset", purpose: "take settings out", load: () => import("./commands/config-unset.ts") },
          {
            name: "path",
            purpose: "print where the settings file is",
            load: () => import("./commands/config-path.ts"),
          },
        ],
      },
      {
        name: "profile",
        purpose: "keep several accounts apart",
        children: [
          { name: "list", purpose: "list the profiles", load: () => import("./commands/profile-list.ts") },
          {
            name: "use",
            purpose: "choose the profile in use",
            load: () => import("./commands/profile-use.ts"),
          },
          { name: "remove", purpose: "remove a profile", load: () => import("./commands/profile-remove.ts") },
        ],
      },
      {
        name: "address",
        purpose: "keep addresses, to use them by name",
        children: [
          {
            name: "list",
            purpose: "list the saved addresses",
            load: () => import("./commands/address-list.ts"),
          },
          { name: "add", purpose: "save an address", load: () => import("./commands/address-add.ts") },
          { name: "remove", purpose: "remove addresses", load: () => import("./commands/address-remove.ts") },
        ],
      },
      {
        name: "party",
        purpose: "keep suppliers and customers of invoices",
        children: [
          { name: "list", purpose: "list the saved parties", load: () => import("./commands/party-list.ts") },
          {
            name: "add",
            purpose: "save a supplier or a customer",
            load: () => import("./commands/party-add.ts"),
          },
          { name: "remove", purpose: "remove parties", load: () => import("./commands/party-remove.ts") },
        ],
      },
      {
        name: "package",
        purpose: "keep sizes of packages, to use them by name",
        children: [
          {
            name: "list",
            purpose: "list the saved packages",
            load: () => import("./commands/package-list.ts"),
          },
          { name: "add", purpose: "save a package", load: () => import("./commands/package-add.ts") },
          { name: "remove", purpose: "remove packages", load: () => import("./commands/package-remove.ts") },
        ],
      },
      {
        name: "mcp",
        purpose: "serve an assistant over standard input and output",
        load: () => import("./commands/mcp.ts"),
      },
      {
        name: "api",
        purpose: "call any endpoint, for what has no command",
        load: () => import("./commands/api.ts"),
      },
      {
        name: "completion",
        purpose: "complete commands, flags and values at the Tab key",
        load: () => import("./commands/completion.ts"),
      },
      {
        name: "doctor",
        purpose: "find what is wrong with the set-up, and how to fix it",
        load: () => import("./commands/doctor.ts"),
      },
    ],
  },
  {
    group: "Try and test:",
    entries: [
      {
        name: "sandbox",
        purpose: "serve, bill or empty the built-in sandbox",
        children: [
          {
            name: "start",
            purpose: "serve both APIs to other programs",
            load: () => import("./commands/sandbox-start.ts"),
          },
          {
            name: "bill",
            purpose: "what its carriers bill, to rehearse an audit",
            load: () => import("./commands/sandbox-bill.ts"),
          },
          {
            name: "reset",
            purpose: "forget all that it holds",
            load: () => import("./commands/sandbox-reset.ts"),
          },
        ],
      },
    ],
  },
]
