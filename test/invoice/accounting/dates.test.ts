import { describe, expect, it } from "vitest"
import { type Case, said } from "./setup.ts"

const due = (dueDate: string, netDays?: number, invoiceDate = "2026-11-20T09:30:00+11:00") => ({
  "/invoiceDate": invoiceDate,
  "/dueDate": dueDate,
  ...(netDays !== undefined && { "/paymentTerms": { netDays } }),
})

const cases: readonly Case[] = [
  [
    "due before it was invoiced",
    due("2026-10-20T00:00:00+11:00"),
    [
      "due-before-invoiced /data/dueDate | due date: 2026-10-20 is before the invoice date 2026-11-20 | correct the date that is wrong; day and month may be swapped",
    ],
  ],
  ["due earlier on the same day", due("2026-11-20T00:00:00+11:00"), []],
  ["due the day before as it is written, and later all the same", due("2026-11-19T23:00:00Z"), []],
  ["due after the net days", due("2026-12-20T00:00:00+11:00", 30), []],
  ["due at once, with no days", due("2026-11-20T12:00:00+11:00", 0), []],
  ["due after a leap day", due("2028-03-01T00:00:00Z", 2, "2028-02-28T00:00:00Z"), []],
  [
    "due a day too late",
    due("2026-12-21T12:00:00+11:00", 30),
    [
      "due-net-days /data/dueDate | due date: 30 days after the invoice date 2026-11-20 is 2026-12-20, but the due date says 2026-12-21 | correct the due date, or the net days of the payment terms",
    ],
  ],
  ["due at midnight in Sydney, written in UTC", due("2026-12-20T13:00:00Z", 30, "2026-11-21T03:00:00Z"), []],
  ["net days beyond any calendar", due("2026-12-20T00:00:00Z", 1e15), []],
  ["a day that does not exist", due("2026-02-31T00:00:00Z", 30), []],
  ["no time of day", due("2026-10-20"), []],
]

describe("due dates", () => {
  it.each(cases)("%s", (_, changes, findings) => {
    expect(said(changes)).toEqual(findings)
  })
})
