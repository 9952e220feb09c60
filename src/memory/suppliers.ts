/** Remembers suppliers that invoices were made for, the one that was used last first. */
import { keepJson, keptJson } from "./kept-file.ts"

export interface Supplier {
  /** The buyer's code. */
  id: string
  name: string
  abn?: string
}

export interface Suppliers {
  list(): Promise<Supplier[]>
  keep(supplier: Supplier): Promise<void>
}

const KEPT_AT_MOST = 100

export function openSuppliers(file: string): Suppliers {
  const list = async () => {
    const kept = await keptJson(file)
    return Array.isArray(kept) ? kept.filter(isSupplier) : []
  }
  return {
    list,
    async keep(supplier) {
      const others = (await list()).filter(({ id }) => id !== supplier.id)
      await keepJson(file, [supplier, ...others].slice(0, KEPT_AT_MOST))
    },
  }
}

function isSupplier(value: unknown): value is Supplier {
  const { id, name, abn } = Object(value) as Partial<Supplier>
  return typeof id === "string" && typeof name === "string" && ["string", "undefined"].includes(typeof abn)
}
