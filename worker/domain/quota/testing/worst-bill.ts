import { PRICES } from '../prices.ts'

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
  /** Of videos, and of photos of sign-offs. */
  uploadBytesOfUser: number
  /** Bytes of photos that may be reported from one address. */
  photoBytesOfAddress: number
  /** Milliseconds of the processor that one person's runs may use. */
  cpuMsOfUser: number
  /** Mails of all together. */
  totalMails: number
}

/** What a day costs at most, US dollars. */
export interface Bill {
  models: number
  rows: number
  storage: number
  cpu: number
  mails: number
  total: number
}

/** Computes the worst bill of a day with hostile accounts and addresses that use up every limit. */
export function worstDailyBill(
  limits: BillLimits,
  { accounts, addresses }: { accounts: number; addresses: number },
): Bill {
  const models = Math.min(limits.totalAiUsd, accounts * limits.userAiUsd)
  const written = accounts * (limits.userRows + limits.otherRowsOfUser) + addresses * limits.rowsOfAddress
  const billed = Math.max(0, written - PRICES.rowsWritten.included / DAYS_PER_MONTH)
  const rows = (billed / 1e6) * PRICES.rowsWritten.perMillion
  const bytes = accounts * limits.uploadBytesOfUser + addresses * limits.photoBytesOfAddress
  const storage = ((bytes / BYTES_PER_GB) * PRICES.storedGb.perMonth) / DAYS_PER_MONTH
  const cpuMs = Math.max(0, accounts * limits.cpuMsOfUser - PRICES.cpuMs.included / DAYS_PER_MONTH)
  const cpu = (cpuMs / 1e6) * PRICES.cpuMs.perMillion
  const billedMails = Math.max(0, limits.totalMails - PRICES.mails.included / DAYS_PER_MONTH)
  const mails = (billedMails / 1e6) * PRICES.mails.perMillion
  return { models, rows, storage, cpu, mails, total: models + rows + storage + cpu + mails }
}
