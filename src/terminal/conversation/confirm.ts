import { createPrompt, isEnterKey, useKeypress, useState } from "@inquirer/core"
import { paint } from "../style.ts"
import { BACK, type Back } from "./conversation.ts"
import { answered, head, keyLine, LEFT, useFrame, type Window } from "./window.ts"

const SHOWN = "[Yes]  No "
const TURNS = ["left", "right", "up", "down", "tab", "space"]

interface ConfirmConfig {
  window: Window
  question: string
  initial: boolean
}

/** Yes or no: a letter or an arrow marks one, and only Enter answers. */
export const confirmQuestion = createPrompt<boolean | Back, ConfirmConfig>(
  ({ window, question, initial }, done) => {
    const frame = useFrame(window)
    const [yes, setYes] = useState(initial)
    const [outcome, setOutcome] = useState<boolean | Back>()
    const finish = (answer: boolean | Back) => {
      setOutcome(answer)
      done(answer)
    }

    useKeypress((key, reader) => {
      const letter = reader.line.at(-1)
      reader.clearLine(0)
      if (key.name === "escape" || letter === "<") finish(BACK)
      else if (isEnterKey(key)) finish(yes)
      else if (TURNS.includes(key.name)) setYes(!yes)
      else if (key.name === "y" || key.name === "n") setYes(key.name === "y")
    })

    if (outcome === BACK) return LEFT
    if (outcome !== undefined) return frame(answered(window, question, outcome ? "yes" : "no"))
    const { above, lead } = head(window, question, SHOWN.length)
    const option = (marked: boolean, word: string) =>
      marked ? paint(window, ["bold", "cyan"], `[${word}]`) : ` ${word} `
    return frame({
      above,
      line: `${lead}${option(yes, "Yes")} ${option(!yes, "No")}`,
      keys: keyLine(window, "y or n", "Enter answers"),
    })
  },
)
