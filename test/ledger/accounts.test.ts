/** Which scope an API key gets: that of its account, whatever other keys the account has. */
import { describe, expect, it } from "vitest"
import { scopeOf } from "../../src/ledger/accounts.ts"
import { entry, ledgerFileIn, openFile, put, storeIn, temporaryDir } from "./setup.ts"

const ADDRESS = "api.example/v0"

/** A ledger, and what a key sees of the shipments in it. */
function scopes() {
  const store = storeIn(openFile(ledgerFileIn(temporaryDir())))
  return {
    of: (account: string, sees: boolean) =>
      scopeOf(store.database, { account, api: "freight", address: ADDRESS }, async () => sees),
    book: (account: string, scope: string) =>
      put(
        store,
        entry({
          account,
          scope,
          state: "done",
          key: `key:${account}`,
          facts: { shipmentId: `shp-${account}` },
        }),
      ),
  }
}

describe("the scope of a key", () => {
  it("is that of the first key of its account, whose shipments it sees", async () => {
    const ledger = scopes()
    await ledger.book("one", await ledger.of("one", false))
    expect(await ledger.of("two", true)).toBe("freight:one")
    expect(await ledger.of("other", false)).toBe("freight:other")
  })

  it("is found later where nothing was booked yet when it was first used", async () => {
    const ledger = scopes()
    const first = await ledger.of("one", false)
    expect(await ledger.of("two", true)).toBe("freight:two")
    await ledger.book("one", first)
    expect(await ledger.of("two", true)).toBe("freight:one")
  })

  it("stays as it is once that something was sent in it", async () => {
    const ledger = scopes()
    const first = await ledger.of("one", false)
    await ledger.book("two", await ledger.of("two", true))
    await ledger.book("one", first)
    expect(await ledger.of("two", true)).toBe("freight:two")
  })

  it("is asked for no more where it is another account's", async () => {
    const ledger = scopes()
    await ledger.book("one", await ledger.of("one", false))
    await ledger.book("two", await ledger.of("two", false))
    expect(await ledger.of("two", true)).toBe("freight:two")
  })
})
