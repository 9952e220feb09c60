/** Facts about a saved supplier. */

/** An Australian bank account. */
export interface Account {
  bsb?: string | undefined
  accountNumber?: string | undefined
  accountName?: string | undefined
}

export interface Identity {
  supplierId: string
  supplierName: string
  abn?: string | undefined
}

/** A saved supplier, as `freight party` keeps it. */
export interface KnownSupplier extends Account, Identity {
  party: string
  email?: string | undefined
  /** Changes of its account: the day, such as `2026-11-20`, and the account of before, in words. The last one comes last. */
  accountChanges?: readonly AccountChange[] | undefined
}

export interface AccountChange {
  on: string
  before: string
}
