/** Both conversations end in the same way when nobody can answer any more. */
import { describe, expect, it } from "vitest"
import { inquirerDesk, plainDesk } from "./desks.ts"

type Desk = Pick<ReturnType<typeof plainDesk>, "conversation" | "input" | "stop">

describe.each<[string, () => Desk]>([
  ["plain lines", plainDesk],
  ["a screen", inquirerDesk],
])("a conversation in %s", (_, desk) => {
  it.each<[string, (desk: Desk) => void]>([
    ["the terminal closes", ({ input }) => void input.end()],
    ["the terminal fails", ({ input }) => void input.destroy(new Error("EIO"))],
    ["a signal comes", ({ stop }) => stop.abort()],
  ])("is interrupted when %s while it asks", async (_, leave) => {
    const made = desk()
    const answer = made.conversation.text("Suburb")
    leave(made)
    await expect(answer).rejects.toMatchObject({ kind: "interrupted", exitCode: 130 })
  })

  it("is interrupted at its next question when the terminal closed before", async () => {
    const { conversation, input } = desk()
    input.end()
    input.resume()
    await expect.poll(() => input.readableEnded).toBe(true)
    await expect(conversation.text("Suburb")).rejects.toMatchObject({ kind: "interrupted" })
  })
})
