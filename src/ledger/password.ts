/** The password of a PostgreSQL ledger, from where other programs find it too. */
import type { PostgresAddress } from "./address.ts"

/** From `PGPASSWORD`, or the line of `~/.pgpass` (or `PGPASSFILE`) that fits; undefined where neither has one. */
export async function passwordFor(
  { host, port, user, database }: PostgresAddress,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const given = env.PGPASSWORD
  if (given !== undefined && given !== "") return given
  const { default: pgpass } = await import("pgpass")
  return new Promise((resolve) =>
    pgpass({ host, port, user, database }, (found) => resolve(found || undefined)),
  )
}
