/** The one question of a run before money is spent. */
import { FreightError } from "../../base/errors.ts"
import type { Conversation } from "./conversation/conversation.ts"

export interface SpendGuard {
  /** The person is still to be asked. */
  readonly isOpen: boolean
  /** Asks if the person has not been asked yet. @throws FreightError `input` if the answer is no */
  confirm(question: string): Promise<void>
  /** The person has agreed already: on the wizard's last page, or to a plan. */
  skip(): void
}

/** @param isAsked whether the person of this run is asked at all; not called before something would be sent */
export function createSpendGuard(
  isAsked: () => boolean,
  converse: () => Promise<Pick<Conversation, "confirm">>,
): SpendGuard {
  let isSettled = false
  let asked: Promise<void> | undefined
  const ask = async (question: string) => {
    if ((await (await converse()).confirm(question, false, { spends: true })) !== true)
      throw new FreightError("input", "you said no: nothing was sent")
    isSettled = true
  }
  const isOpen = () => !isSettled && isAsked()
  return {
    get isOpen() {
      return isOpen()
    },
    async confirm(question) {
      if (!isOpen()) return
      asked ??= ask(question)
      await asked
    },
    skip() {
      isSettled = true
    },
  }
}
