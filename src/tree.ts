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
        purpose: "compare prices and arrival over all carriers",
        load: () => import("./commands/rate-shop.ts"),
      },
      { name: "book", purpose: "book a consignment", load: () => import("./commands/book.ts") },
      { name: "track", purpose: "show where consignments are", load: () => import("./commands/track.ts") },
      {
        name: "label",
        purpose: "save the label of a shipment as PDF",
        load: () => import("./commands/label.ts"),
      },
      {
        name: "pickup",
        purpose: "have a carrier collect",
        children: [
          {
            name: "book",
            purpose: "for a shipment, or on its own",
            load: () => import("./commands/pickup-book.ts"),
          },
          { name: "show", purpose: "one pickup, whole", load: () => import("./commands/pickup-show.ts") },
        ],
      },
      {
        name: "manifest",
        purpose: "list a day's consignments for the driver to sign",
        load: () => import("./commands/manifest.ts"),
      },
      {
        name: "shipments",
        purpose: "list and read booked shipments",
        children: [
          { name: "list", purpose: "newest first", load: () => import("./commands/shipments-list.ts") },
          {
            name: "show",
            purpose: "one shipment, whole",
            load: () => import("./commands/shipments-show.ts"),
          },
        ],
      },
    ],
  },
  {
    group: "Keep track:",
    entries: [
      { name: "history", purpose: "what this machine sent", load: () => import("./commands/history.ts") },
      {
        name: "reconcile",
        purpose: "settle what has no known outcome",
        load: () => import("./commands/reconcile.ts"),
      },
    ],
  },
  {
    group: "Print:",
    entries: [
      {
        name: "print",
        purpose: "send labels and PDFs to a print device",
        children: [
          {
            name: "label",
            purpose: "print shipments' labels",
            load: () => import("./commands/print-label.ts"),
          },
          { name: "pdf", purpose: "print any PDF", load: () => import("./commands/print-pdf.ts") },
        ],
      },
      {
        name: "devices",
        purpose: "print devices, and which one this workstation uses",
        children: [
          {
            name: "list",
            purpose: "those that are active",
            load: () => import("./commands/devices-list.ts"),
          },
          {
            name: "use",
            purpose: "choose one for this workstation",
            load: () => import("./commands/devices-use.ts"),
          },
          { name: "forget", purpose: "keep none", load: () => import("./commands/devices-forget.ts") },
        ],
      },
    ],
  },
  {
    group: "Check invoices:",
    entries: [
      {
        name: "invoice",
        purpose: "check, show and write invoice documents",
        children: [
          {
            name: "validate",
            purpose: "is everything right, and if not, where?",
            load: () => import("./commands/invoice-validate.ts"),
          },
          {
            name: "show",
            purpose: "a document as the invoice it stands for",
            load: () => import("./commands/invoice-show.ts"),
          },
          {
            name: "new",
            purpose: "write a draft, totals worked out",
            load: () => import("./commands/invoice-new.ts"),
          },
          {
            name: "rules",
            purpose: "what invoices are checked for",
            load: () => import("./commands/invoice-rules.ts"),
          },
          {
            name: "schema",
            purpose: "the JSON Schema of an invoice",
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
        purpose: "keys of the APIs",
        children: [
          { name: "login", purpose: "save keys", load: () => import("./commands/auth-login.ts") },
          { name: "status", purpose: "do the keys work?", load: () => import("./commands/auth-status.ts") },
          { name: "logout", purpose: "remove keys", load: () => import("./commands/auth-logout.ts") },
        ],
      },
      {
        name: "config",
        purpose: "settings of a profile",
        children: [
          {
            name: "list",
            purpose: "all, with their sources",
            load: () => import("./commands/config-list.ts"),
          },
          { name: "get", purpose: "one value", load: () => import("./commands/config-get.ts") },
          { name: "set", purpose: "save a setting", load: () => import("./commands/config-set.ts") },
          { name: "unset", purpose: "take settings out", load: () => import("./commands/config-unset.ts") },
          { name: "path", purpose: "where the file is", load: () => import("./commands/config-path.ts") },
        ],
      },
      {
        name: "profile",
        purpose: "several accounts side by side",
        children: [
          { name: "list", purpose: "all of them", load: () => import("./commands/profile-list.ts") },
          { name: "use", purpose: "choose one", load: () => import("./commands/profile-use.ts") },
          { name: "remove", purpose: "forget one", load: () => import("./commands/profile-remove.ts") },
        ],
      },
      {
        name: "address",
        purpose: "saved addresses, used by name",
        children: [
          { name: "list", purpose: "all of them", load: () => import("./commands/address-list.ts") },
          { name: "add", purpose: "save one", load: () => import("./commands/address-add.ts") },
          { name: "remove", purpose: "forget some", load: () => import("./commands/address-remove.ts") },
        ],
      },
      {
        name: "api",
        purpose: "any endpoint, for what has no command",
        load: () => import("./commands/api.ts"),
      },
      { name: "doctor", purpose: "what is wrong, and the mend", load: () => import("./commands/doctor.ts") },
    ],
  },
  {
    group: "Try and test:",
    entries: [
      {
        name: "sandbox",
        purpose: "the built-in server of both APIs",
        children: [
          {
            name: "start",
            purpose: "serve it to other programs",
            load: () => import("./commands/sandbox-start.ts"),
          },
          {
            name: "reset",
            purpose: "forget everything it holds",
            load: () => import("./commands/sandbox-reset.ts"),
          },
        ],
      },
    ],
  },
]
