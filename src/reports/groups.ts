/** Adds up pages of database sums by a key: only the groups are held in memory. */

/**
 * @param keyOf the group of an item; undefined leaves it out
 * @param start the sums of a new group
 * @param add adds an item to the sums of its group
 */
export async function addUpPages<Item, Key extends object, Sums extends object>(
  pages: AsyncIterable<readonly Item[]>,
  keyOf: (item: Item) => Key | undefined,
  start: () => Sums,
  add: (sums: Sums, item: Item) => void,
): Promise<(Key & Sums)[]> {
  const groups = new Map<string, Key & Sums>()
  for await (const page of pages)
    for (const item of page) {
      const key = keyOf(item)
      if (!key) continue
      const name = JSON.stringify(key)
      const sums = groups.get(name) ?? { ...key, ...start() }
      groups.set(name, sums)
      add(sums, item)
    }
  return [...groups.values()]
}
