import { describe, expect, it } from "vitest"
import { checkCollectionWindow } from "../../src/contract/collection-times.ts"

function wrong(ready: string, close: string): string[] {
  const booking = { collectionDateTime: `2026-11-23T${ready}`, collectionCloseTime: close }
  return checkCollectionWindow(booking).map(({ path }) => path)
}

describe("carrier A's collection window", () => {
  it.each([
    ["the first moment to be ready", "07:00:00", "1700"],
    ["the last moment to be ready", "17:00:00", "1900"],
    ["the last moment without seconds", "17:00", "1900"],
    ["the first close time", "10:00:00", "1300"],
    ["the last close time", "10:00:00", "1900"],
    ["a gap of just 120 minutes", "11:00:00", "1300"],
    ["the widest window", "07:00:00", "1900"],
  ])("takes %s", (_, ready, close) => {
    expect(wrong(ready, close)).toEqual([])
  })

  it.each([
    ["a minute too early", "06:59:00", "1700", ["collectionDateTime"]],
    ["a second too early", "06:59:59", "1700", ["collectionDateTime"]],
    ["a second too late", "17:00:01", "1900", ["collectionDateTime", "collectionCloseTime"]],
    ["midnight", "00:00:00", "1300", ["collectionDateTime"]],
    ["a close time a minute too early", "09:00:00", "1259", ["collectionCloseTime"]],
    ["a close time a minute too late", "10:00:00", "1901", ["collectionCloseTime"]],
    ["a gap of 119 minutes", "11:01:00", "1300", ["collectionCloseTime"]],
    ["a gap of 119 minutes and a half", "11:00:30", "1300", ["collectionCloseTime"]],
    ["a close time before the goods are ready", "16:00:00", "1400", ["collectionCloseTime"]],
    [
      "everything at once",
      "23:00:00",
      "0100",
      ["collectionDateTime", "collectionCloseTime", "collectionCloseTime"],
    ],
  ])("refuses %s", (_, ready, close, fields) => {
    expect(wrong(ready, close)).toEqual(fields)
  })

  it("says what it found, what carrier A takes, and whose clock it is", () => {
    const [problem] = checkCollectionWindow({
      collectionDateTime: "2026-11-23T17:30:00",
      collectionCloseTime: "1930",
    })
    expect(problem).toEqual({
      pointer: "/collectionDateTime",
      path: "collectionDateTime",
      keyword: "collectionWindow",
      message:
        "collectionDateTime is at 17:30:00: carrier A accepts 07:00 to 17:00, local time at the collection address",
    })
  })

  it("names both times when the gap is too short", () => {
    const problems = checkCollectionWindow({
      collectionDateTime: "2026-11-23T15:00:00",
      collectionCloseTime: "1630",
    })
    expect(problems.map(({ message }) => message)).toEqual([
      "collectionCloseTime is at 16:30:00, and carrier A needs 120 minutes from 15:00:00, when the goods are ready",
    ])
  })

  it("judges the figures as they stand, also in the hour that daylight saving skips in Sydney", () => {
    const booking = { collectionDateTime: "2026-10-04T02:30:00", collectionCloseTime: "1300" }
    expect(checkCollectionWindow(booking).map(({ message }) => message.slice(0, 33))).toEqual([
      "collectionDateTime is at 02:30:00",
    ])
  })

  it("leaves times that it cannot read to the schema", () => {
    expect(checkCollectionWindow({ collectionDateTime: "soon", collectionCloseTime: "late" })).toEqual([])
  })
})
