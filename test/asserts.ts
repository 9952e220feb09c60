/** No test asserts nothing: one that only runs fails. */
import { beforeEach, expect } from "vitest"

beforeEach(() => {
  expect.hasAssertions()
})
