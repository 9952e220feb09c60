/** Parts of inputs that several tools have. */
import * as z from "zod"

export const PACKAGES = z
  .array(
    z.strictObject({
      count: z.int().min(1).default(1).describe("How many are alike."),
      lengthCm: z.number().positive().describe("Length of each in cm."),
      widthCm: z.number().positive().describe("Width of each in cm."),
      heightCm: z.number().positive().describe("Height of each in cm."),
      weightKg: z.number().positive().describe("Weight of each in kg, not of all together."),
    }),
  )
  .min(1)

/** What a rate has to meet. */
export const WISHES = {
  service: z.string().optional().describe("A service code, or cheapest, or fastest."),
  maxPrice: z.number().nonnegative().optional().describe("Nothing above this price, as quoted."),
  within: z.int().min(0).max(999).optional().describe("Days from the collection in which it has to arrive."),
  arriveBy: z.string().optional().describe("Arrives by then: 2026-11-25, or with T12:00."),
}
/** As flag or column: the two take it differently. */
export const AVOID = z
  .array(z.string())
  .describe("Services and carriers that are not taken, such as GEN or A.")
