/** Questions about columns of several tables, which are asked at once and answered for all of them. */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import {
  answerAll,
  type ColumnQuestion,
  createTableQuestions,
  UnclearColumns,
} from "../../src/input/columns/questions.ts"
import { failure } from "../failure.ts"

const question = (column: string, more: Partial<ColumnQuestion> = {}): ColumnQuestion => ({
  ...{ column, values: ["1"], why: "may be it", choices: ["number"] },
  ...more,
})
const unclear = (table: string, ...questions: readonly ColumnQuestion[]) =>
  new UnclearColumns(table, questions, undefined, "freight audit --help")

const join = (one: UnclearColumns, ...others: readonly UnclearColumns[]) =>
  UnclearColumns.join([one, ...others])

describe("questions about several tables", () => {
  it("are asked once for each column, by what each table has, and say where it stands", () => {
    const joined = join(
      unclear("A", question("Fee", { values: ["1", "2"], choices: ["other", "fuel"] }), question("Job")),
      unclear("B", question("Fee", { values: ["2", "3"], choices: ["fuel", "amount"] })),
    )
    expect(joined.questions).toMatchObject([
      { column: "Fee", values: ["1", "2", "3"], choices: ["fuel"], tables: ["A", "B"] },
      { column: "Job", tables: ["A"] },
    ])
    expect(joined.message).toBe("A, B: the columns are ambiguous; nothing was done")
    expect(joined.errors?.[0]?.message).toMatch(
      /^the column "Fee" of A, B \(1, 2, 3\) may be it: --map Fee=fuel or/,
    )
    expect(joined.hint).toContain("--map Fee=fuel --map Job=number.")
  })

  it("keep the choices of the first where no answer fits both", () => {
    const joined = join(
      unclear("A", question("Fee", { choices: ["other"] })),
      unclear("B", question("Fee", { choices: ["fuel"] })),
    )
    expect(joined.questions).toMatchObject([{ choices: ["other"] }])
  })

  it("say nothing of tables where there is one", () => {
    const one = unclear("A", question("Fee"))
    expect(join(one)).toBe(one)
    const [only] = join(one, unclear("A", question("Job"))).questions
    expect(only?.tables).toBeUndefined()
  })

  it("have one number for each table, and none that is answered twice", () => {
    const isOneOfSeveral = { isOneOfSeveral: true } as const
    const joined = join(
      unclear("A", question("Job", isOneOfSeveral), question("Docket", isOneOfSeveral)),
      unclear("B", question("Ticket", isOneOfSeveral)),
      unclear("C", question("Docket", isOneOfSeveral), question("Slip", isOneOfSeveral)),
    )
    expect(answerAll(joined.questions)).toEqual([
      ["Job", "number"],
      ["Docket", ""],
      ["Ticket", "number"],
      ["Slip", ""],
    ])
  })
})

describe("tables that are read one after the other", () => {
  const said = () => {
    const told: string[] = []
    const note = async (text: string) => void told.push(text)
    return { told, said: { tell: note, warn: note } }
  }

  it("are asked about together at the end, and nothing is told of those behind the first question", async () => {
    const questions = createTableQuestions()
    const { told, said: options } = said()
    await questions.read(options, async ({ tell }) => {
      await tell("of A")
      throw unclear("A", question("Fee"))
    })
    await questions.read(options, async ({ tell, warn }) => {
      await tell("of B")
      await warn("of B")
      throw unclear("B", question("Job"))
    })
    expect(told).toEqual(["of A"])
    expect(() => questions.ask()).toThrow("A, B: the columns are ambiguous")
  })

  it("are asked about before what is wrong in a later one, and nothing else is held back", async () => {
    const questions = createTableQuestions()
    const fail = (error: unknown) =>
      questions.read(said().said, async () => {
        throw error
      })
    const wrong = new FreightError("input", "row 3 is wrong")
    expect(await failure(fail(wrong))).toBe(wrong)
    await fail(unclear("A", question("Fee")))
    expect(await failure(fail(wrong))).toBeInstanceOf(UnclearColumns)
    const bug = new Error("a bug")
    await expect(fail(bug)).rejects.toBe(bug)
  })

  it("are not asked about where all is clear", async () => {
    const questions = createTableQuestions()
    const { told, said: options } = said()
    await questions.read(options, async ({ tell }) => tell("of A"))
    questions.ask()
    expect(told).toEqual(["of A"])
  })
})
