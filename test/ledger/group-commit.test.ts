import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { groupCommit } from "../../src/ledger/group-commit.ts"

/** Work that keeps its groups; `during` is called while the first one is under way. */
function recorder(most: number, during: () => void = () => {}) {
  const groups: string[][] = []
  const ask = groupCommit(async (items: readonly string[]) => {
    groups.push([...items])
    if (groups.length === 1) during()
    if (items.includes("bad")) throw new Error("it failed")
    if (items.includes("lost")) throw new FreightError("unavailable", "the database is gone")
    return items.map((item) => item.toUpperCase())
  }, most)
  return { groups, ask }
}

describe("a group commit", () => {
  it("takes along who asks meanwhile, and who asks again when the group before is done", async () => {
    const { groups, ask } = recorder(10, () => void ask("meanwhile"))
    await Promise.all(
      ["one", "two"].map(async (item) => {
        await ask(item)
        await ask(`${item} anew`)
      }),
    )
    expect(groups).toEqual([
      ["one", "two"],
      ["meanwhile", "one anew", "two anew"],
    ])
  })

  it("takes so many at once at most, in their order, and gives each its own result", async () => {
    const { groups, ask } = recorder(2)
    expect(await Promise.all(["a", "b", "c"].map(ask))).toEqual(["A", "B", "C"])
    expect(groups).toEqual([["a", "b"], ["c"]])
  })

  it("commits each alone where one of a group is bad", async () => {
    const { ask } = recorder(2)
    const ends = await Promise.allSettled(["a", "bad", "c"].map(ask))
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  })

  it("fails for all of a group when the database does, and for no other", async () => {
    const { ask } = recorder(2)
    const ends = await Promise.allSettled(["a", "lost", "c"].map(ask))
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"])
    expect(await ask("d")).toBe("D")
  })
})
