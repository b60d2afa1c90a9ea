/** A page of a query's rows: at most `limit` rows after one of them, or from the first. */
export interface PageAt<Row> {
  after: Row | null
  limit: number
}

/**
 * Reads all rows of a query, some at a time.
 * @param read gives the next rows after one of them, in one order; the first ones for null
 */
export async function* readPages<Row>(
  limit: number,
  read: (page: PageAt<Row>) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: Row | null = null; ; ) {
    const rows: Row[] = await read({ after, limit })
    if (rows.length > 0) yield rows
    after = rows.at(-1) ?? null
    if (rows.length < limit) return
  }
}
