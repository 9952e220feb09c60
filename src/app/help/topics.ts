/** The topics of `freight help TOPIC`. Their pages are in `pages.ts`, which is loaded to show one. */
export const TOPICS = [
  { name: "exit-codes", purpose: "what a script may do after each exit code" },
  { name: "environment", purpose: "environment variables" },
  { name: "formats", purpose: "tables, JSON, CSV, and errors as JSON" },
  { name: "json", purpose: "the shape of each answer as JSON, and one name for each thing" },
  { name: "files", purpose: "where settings, ledger, labels and the rest are kept" },
  { name: "doubles", purpose: "what prevents double bookings, and what it cannot see" },
  { name: "wishes", purpose: "how a service is chosen: cheapest, in time, below a price" },
  { name: "time", purpose: "whose local time counts, and how to write times" },
] as const

export type TopicName = (typeof TOPICS)[number]["name"]
