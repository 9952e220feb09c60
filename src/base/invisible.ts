/**
 * Signs that nobody sees, stated once: what Unicode says is not drawn (tag characters, soft hyphens, fillers, marks of
 * direction, joiners, selectors), and the marks of annotations. Text that hides in them would reach a terminal, an
 * assistant or a cell unseen, and two numbers that look alike would be two.
 */
export const INVISIBLE_SIGNS = String.raw`\p{Default_Ignorable_Code_Point}\ufff9-\ufffb`

/** Behind a sign: it does not shape what stands beside it, such as a picture in colour, or letters that join beyond Latin. */
export const SHAPES_NOTHING = String.raw`(?<!\p{Extended_Pictographic}\ufe0f|[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}](?<!\p{Script=Latin})[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}]))`

const INVISIBLE = new RegExp(`[${INVISIBLE_SIGNS}]`, "gu")
const HIDDEN = new RegExp(`[${INVISIBLE_SIGNS}]${SHAPES_NOTHING}`, "gu")

/** For what is compared, such as order numbers: none of them is left. */
export function dropInvisible(text: string): string {
  return text.replace(INVISIBLE, "")
}

/** For what is kept and shown: signs that shape their neighbours stay. */
export function dropHidden(text: string): string {
  return text.replace(HIDDEN, "")
}
