/**
 * Invisible characters, stated once: those that Unicode does not draw (tag characters, soft hyphens, fillers, marks of
 * direction, joiners, selectors), and annotation marks. Text hidden in them would reach a terminal, an assistant or a
 * cell unseen, and two numbers that look alike would differ.
 */
export const INVISIBLE_SIGNS = String.raw`\p{Default_Ignorable_Code_Point}\ufff9-\ufffb`

/**
 * After an invisible character: it does not change the shape of its neighbours, such as a colour picture, or joined
 * letters beyond Latin.
 */
export const SHAPES_NOTHING = String.raw`(?<!\p{Extended_Pictographic}\ufe0f|[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}](?<!\p{Script=Latin})[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}]))`

const INVISIBLE = new RegExp(`[${INVISIBLE_SIGNS}]`, "gu")
const HIDDEN = new RegExp(`[${INVISIBLE_SIGNS}]${SHAPES_NOTHING}`, "gu")

/** For text that is compared, such as order numbers: removes all of them. */
export function dropInvisible(text: string): string {
  return text.replace(INVISIBLE, "")
}

/** For text that is kept and shown: keeps characters that shape their neighbours. */
export function dropHidden(text: string): string {
  return text.replace(HIDDEN, "")
}
