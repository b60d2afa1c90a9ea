import { eq } from 'drizzle-orm'
import type { RecordedPerson, RecordKeeping } from '#contract/records/training-record.ts'
import type { Checkpoint } from '#records/export-files.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { organizationSettings } from '#worker/db/share-tables.ts'
import { setSettings } from '#worker/domain/organization/settings-store.ts'
import { appendRecords } from './append-records.ts'

/** How an organization keeps its records, and what of them is kept. */
export interface KeptRecords {
  keeping: RecordKeeping
  /** Number of the first record. */
  fromSeq: number
  /** The newest one; null before the first. */
  checkpoint: Checkpoint | null
}

/** Reads how an organization keeps its records: for ever, unless it has said otherwise. */
export async function readKeeping(db: Db, orgId: string): Promise<KeptRecords> {
  const [row] = await db.select().from(organizationSettings).where(eq(organizationSettings.orgId, orgId))
  const { checkpointDay: day, checkpointHash: hash, checkpointSeq: seq } = row ?? {}
  const checkpoint = day && hash && seq ? { day, seq, hash } : null
  const { recordMonths: months = null, recordHold: hold = null, showsEffort = false } = row ?? {}
  const keeping = { months, hold, showsEffort }
  return { keeping, fromSeq: row?.recordsFrom ?? 1, checkpoint }
}

/** Changes how an organization keeps its records, with a record of it. */
export async function changeKeeping(
  context: Pick<Context, 'd1' | 'nowMs'>,
  orgId: string,
  { by, months, hold, showsEffort }: RecordKeeping & { by: RecordedPerson },
): Promise<void> {
  const keeping = { recordMonths: months, recordHold: hold, showsEffort }
  const statement = setSettings(context.d1, { orgId, ...keeping, updatedAt: context.nowMs() })
  const body = { kind: 'kept', months, hold, showsEffort, by } as const
  await appendRecords(context, orgId, { bodies: [body], statements: [statement] })
}

/** @throws {AppError} on_hold while nothing of the organization may be removed */
export async function requireNoHold(db: Db, orgId: string): Promise<void> {
  const { keeping } = await readKeeping(db, orgId)
  if (keeping.hold !== null) throw new AppError('on_hold', 'A legal hold keeps all names and records for now.')
}
