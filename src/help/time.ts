import { CARRIER_A_WINDOW } from "../contract/collection-times.ts"
import type { Block } from "./page.ts"

export function topic(): Block[] {
  const { ready, close, gapMinutes } = CARRIER_A_WINDOW
  return [
    {
      text: "Times of a collection are read by the clock at the collection address, wherever this machine is. They have no zone, and one that is typed is refused: 10:00 in Perth is 10:00 in Perth.",
    },
    {
      heading: "How to write them:",
      list: [
        [
          "--ready",
          "2026-11-23T10:00; where the day is given apart, as in freight pickup book --date, 10:00 or 10am",
        ],
        ["--close", "17:00, 1700 or 5pm, on the same day"],
        ["--date", "2026-11-23; left out, it is today at the collection address"],
        ["--since", "2026-11-01 by this machine's clock, or how far back: 12h, 7d, 4w"],
        ["--wait", "seconds, as for --timeout and --interval"],
      ],
    },
    {
      heading: "What carriers want:",
      list: [
        [
          "all of them",
          "a ready time ahead, and a close after it; --allow-past takes what has passed. A weekend is warned of",
        ],
        [
          "carrier A",
          `ready from ${ready.from} to ${ready.to}, close from ${close.from} to ${close.to}, both ends included, and ${gapMinutes / 60} hours between the two`,
        ],
      ],
    },
    {
      heading: "How to read what comes back:",
      list: [
        ["BOOK BY", "the latest booking that the carrier still takes that day"],
        ["COLLECT BY", "the latest collection that day"],
        ["2026-11-30 17:00", "arrival as the carrier says it: it names no zone"],
        ["5 days", "days on the way; whether weekends count is not said"],
        ["a quote", "can be booked for 48 hours, reckoned by this machine's clock"],
      ],
    },
    {
      text: "So this machine's clock matters for the age of quotes and for what today is: freight doctor compares it with the server's.",
    },
  ]
}
