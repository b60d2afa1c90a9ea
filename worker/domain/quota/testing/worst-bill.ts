/** List prices in US dollars, November 2026. Sources: the pages "Pricing" of D1, R2 and Workers at developers.cloudflare.com. */
export const PRICES = {
  /** D1: of rows written, entries of indexes included. */
  perMillionRowsWritten: 1,
  /** D1: rows written that the Workers Paid plan includes each month. */
  includedRowsPerMonth: 50_000_000,
  /** R2, standard storage. */
  perGbMonthOfR2: 0.015,
  /** Workers: requests beyond ten million a month. */
  perMillionRequests: 0.3,
  /** R2: operations that read (class B). */
  perMillionR2Reads: 0.36,
} as const

const DAYS_PER_MONTH = 30
const BYTES_PER_GB = 1e9

/** What limits the use of a day. */
export interface BillLimits {
  /** US dollars of models, of one person and of all together. */
  userAiUsd: number
  totalAiUsd: number
  /** Rows that one person's calls and runs may write. */
  userRows: number
  /** Rows of what is counted by other limits, of one person. */
  otherRowsOfUser: number
  /** Rows of what may be reported from one address. */
  rowsOfAddress: number
  uploadBytesOfUser: number
}

/** What a day costs at most, US dollars. */
export interface Bill {
  models: number
  rows: number
  storage: number
  total: number
}

/** Computes the worst bill of a day with hostile accounts and addresses that use up every limit. */
export function worstDailyBill(
  limits: BillLimits,
  { accounts, addresses }: { accounts: number; addresses: number },
): Bill {
  const models = Math.min(limits.totalAiUsd, accounts * limits.userAiUsd)
  const written = accounts * (limits.userRows + limits.otherRowsOfUser) + addresses * limits.rowsOfAddress
  const billed = Math.max(0, written - PRICES.includedRowsPerMonth / DAYS_PER_MONTH)
  const rows = (billed / 1e6) * PRICES.perMillionRowsWritten
  const bytes = accounts * limits.uploadBytesOfUser
  const storage = ((bytes / BYTES_PER_GB) * PRICES.perGbMonthOfR2) / DAYS_PER_MONTH
  return { models, rows, storage, total: models + rows + storage }
}
