import { expect, it } from "vitest"
import { findApiWords } from "./api-words.ts"

it.each([
  ["sender.suburb is missing", ["sender.suburb"]],
  ["collection.email: carrier C refuses a booking without one", ["collection.email"]],
  ["packages[1] weighs 300 kg", ["packages[1]"]],
  ["packages[0].weightKg is not a number", ["packages[0].weightKg"]],
  ["collectionDateTime is on a weekend", ["collectionDateTime"]],
  ["the ready time is on a weekend, at PO Box 3, McArthur Street", []],
  ["Type can mean the packaging: --map Type=packagingCode", []],
])("the search finds the words of the API in: %s", (text, words) => {
  expect(findApiWords(text)).toEqual(words)
})
