import type { Checkpoint } from '#records/export-files.ts'
import type { Context } from '#worker/core/context.ts'
import { listRows } from '#worker/db/db.ts'
import { addNotices } from '#worker/domain/notice/notice-store.ts'
import { setSettings } from '#worker/domain/organization/settings-store.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { logLine } from '#worker/log/log.ts'
import { readHead } from './record-store.ts'

/** Where the checkpoints of an organization lie, each under its day. */
function checkpointsOf(orgId: string): string {
  return `records/${orgId}/checkpoints/`
}

/** Organizations of which one sweep keeps the head: each takes seven calls. */
const PER_SWEEP = 100

/** Organizations with records, each one step in their index. */
const ORGANIZATIONS = `WITH RECURSIVE orgs (id) AS (
  SELECT min(org_id) FROM training_records
  UNION ALL
  SELECT (SELECT min(org_id) FROM training_records WHERE org_id > orgs.id) FROM orgs WHERE orgs.id IS NOT NULL)`

/** Lists organizations with records since their last checkpoint, which was on an earlier day. */
export function listWithoutCheckpoint(d1: D1Database, nowMs: number): Promise<{ orgId: string }[]> {
  return listRows(
    d1,
    `${ORGANIZATIONS}
     SELECT orgs.id AS orgId FROM orgs LEFT JOIN glossaries AS g ON g.org_id = orgs.id
     WHERE orgs.id IS NOT NULL AND coalesce(g.checkpoint_day, '') < ?1
       AND (SELECT max(seq) FROM training_records WHERE org_id = orgs.id) > coalesce(g.checkpoint_seq, 0)
     LIMIT ${PER_SWEEP}`,
    dayOf(nowMs),
  )
}

/** Logs that lists do not have the record of their newest checkpoint: somebody has changed them or cut their ends off. */
export async function logBrokenLists(d1: D1Database): Promise<void> {
  const broken = await listRows<{ orgId: string }>(
    d1,
    `${ORGANIZATIONS}
     SELECT orgs.id AS orgId FROM orgs JOIN glossaries AS g ON g.org_id = orgs.id
     LEFT JOIN training_records AS r ON r.org_id = orgs.id AND r.seq = g.checkpoint_seq
     WHERE g.checkpoint_seq >= g.records_from AND r.hash IS NOT g.checkpoint_hash LIMIT ${PER_SWEEP}`,
  )
  if (broken.length > 0) logLine('error', 'records_broken', { outcome: 'checkpoint_broken', count: broken.length })
}

/**
 * Keeps the end of an organization's list in the bucket, and has it sent out. The checkpoint of a day is written once and
 * never changed.
 */
export async function takeCheckpoint(
  { d1, bucket, nowMs }: Pick<Context, 'd1' | 'bucket' | 'nowMs'>,
  orgId: string,
): Promise<Checkpoint> {
  const now = nowMs()
  const day = dayOf(now)
  const key = `${checkpointsOf(orgId)}${day}.json`
  const checkpoint = { day, ...(await readHead(d1, orgId)) }
  const { seq, hash } = checkpoint
  const put = await bucket.put(
    key,
    JSON.stringify({ format: 'adapt-checkpoint-1', organization: orgId, ...checkpoint }),
    {
      onlyIf: { etagDoesNotMatch: '*' },
      customMetadata: { seq: String(seq), hash },
    },
  )
  // One that broke off here before has written it already.
  const kept = put === null ? readMetadata(day, (await bucket.head(key))?.customMetadata) : checkpoint
  const newest = { checkpointSeq: kept.seq, checkpointHash: kept.hash, checkpointDay: day }
  const notices = [{ kind: 'records.checkpoint', ...kept } as const, { kind: 'checkpoint_mail', ...kept } as const]
  await d1.batch([
    setSettings(d1, { orgId, ...newest, updatedAt: now }),
    ...addNotices(d1, orgId, { notices, nowMs: now }),
  ])
  return kept
}

/** Lists the checkpoints of an organization, the oldest first. */
export async function listCheckpoints(bucket: R2Bucket, orgId: string): Promise<Checkpoint[]> {
  const prefix = checkpointsOf(orgId)
  const checkpoints: Checkpoint[] = []
  for (let cursor: string | undefined, hasMore = true; hasMore; ) {
    const listed = await bucket.list({
      prefix,
      include: ['customMetadata'],
      ...(cursor === undefined ? {} : { cursor }),
    })
    for (const { key, customMetadata } of listed.objects)
      checkpoints.push(readMetadata(key.slice(prefix.length).replace('.json', ''), customMetadata))
    hasMore = listed.truncated
    cursor = listed.truncated ? listed.cursor : undefined
  }
  return checkpoints
}

function readMetadata(day: string, metadata: Record<string, string> | undefined): Checkpoint {
  return { day, seq: Number(metadata?.['seq'] ?? 0), hash: metadata?.['hash'] ?? '' }
}
