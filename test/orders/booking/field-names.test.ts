import { describe, expect, it } from "vitest"
import { nameField, nameInWords } from "../../../src/orders/booking/field-names.ts"
import { fieldsOf } from "../../../src/contract/fields/schema.ts"
import { findApiWords } from "../../api-words.ts"

describe("the name of a field in a message", () => {
  it.each([
    ["collectionDateTime", "the ready time"],
    ["sender", "the sender"],
    ["collection.email", "the email of the collection"],
    ["receiver.suburb", "the suburb of the receiver"],
    ["packages[1]", "package line 2"],
    ["packages[0].lengthCm", "the length (cm) of package line 1"],
    ["dangerousGoodsDetails.unNumber", '"UN number" of the dangerous goods'],
    ["payer.accountNumber", "the account number of the payer"],
    ["timeSensitive.deliveryWindow.endDate", '"Last day" of the delivery time'],
    ["nothing.of[3].this", "nothing.of[3].this"],
  ])("of %s is %s", (path, name) => {
    expect(nameField(path)).toBe(name)
  })

  it("has no number where all packages are of one kind", () => {
    expect(nameField("packages[0].weightKg", true)).toBe("the weight (kg) of the package")
  })

  it("has no words of the API, whatever field of a booking it is", () => {
    const paths = fieldsOf("ConsignmentBookingRequest")
      .leaves()
      .map(({ path }) => path.join(".").replaceAll(/\.(\d+)/g, "[$1]"))
    expect(paths.length).toBeGreaterThan(60)
    expect(paths.map((path) => nameField(path)).flatMap(findApiWords)).toEqual([])
  })

  it("stands where the path stood", () => {
    const message = "collectionDateTime is on a weekend"
    expect(nameInWords({ path: "collectionDateTime", message })).toEqual({
      path: "collectionDateTime",
      message: "the ready time is on a weekend",
    })
  })
})
