import type { AccountExport } from '#contract/account.ts'
import type { Context } from '#worker/context.ts'
import { type FeedbackRow, listFeedbackOf } from '#worker/domain/feedback/feedback-store.ts'
import {
  listSeenModules,
  listSessionsOf,
  type PlayedSession,
  type SeenModule,
} from '#worker/domain/learning/learner-account-store.ts'
import { EXPORT_TICKET_TTL_MS, issueVideoTicket, videoPath } from '#worker/domain/live/ticket.ts'
import { type DeletedRow, listRestorableOf } from '#worker/domain/module/deleted-store.ts'
import { listUploadedBy, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { listOpenedOf, type OpenedRow } from '#worker/domain/opened/opened-store.ts'
import { listUsesOf, type UseRow } from '#worker/domain/quota/quota-store.ts'
import { UNITS } from '#worker/domain/quota/take-quota.ts'
import { presentStep } from '#worker/domain/step/read-steps.ts'
import { listStepsOf } from '#worker/domain/step/step-store.ts'
import { streamText } from '#worker/domain/stream-text.ts'
import { presentSegment, readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { listTurnsOf, type TurnRow } from '#worker/domain/tutor/turn-store.ts'

interface ExportedAccount {
  userId: string
  /** Where this Adapt is reached. */
  origin: string
  nowMs: number
}

/** Modules whose steps and transcripts are in memory at once: of an hour each, some megabytes. */
const MODULES_AT_ONCE = 10
const ROWS_AT_ONCE = 500
/** A session keeps some kilobytes of what was played. */
const SESSIONS_AT_ONCE = 100

/** Everything that is kept of a person as one JSON document, which is read and written some of it at a time. */
export function exportAccount(
  context: Context,
  account: Pick<ExportedAccount, 'userId' | 'origin'>,
): ReadableStream<Uint8Array> {
  return streamText(writeAccount(context, { ...account, nowMs: context.nowMs() }))
}

async function* writeAccount(context: Context, account: ExportedAccount): AsyncGenerator<string> {
  const { db, d1 } = context
  const { userId, nowMs } = account
  const head = {
    format: 'adapt-account-1',
    exportedAt: toIso(nowMs),
    userId,
    videoUrlsGoodUntil: toIso(nowMs + EXPORT_TICKET_TTL_MS),
  } satisfies Partial<AccountExport>
  yield JSON.stringify(head).slice(0, -1)
  yield* writeList('modules', readModules(context, account))
  const feedback = pages<FeedbackRow>(ROWS_AT_ONCE, (at) => listFeedbackOf(db, userId, at))
  yield* writeList('feedback', presented(feedback, presentFeedback))
  const turns = pages<TurnRow>(ROWS_AT_ONCE, (at) => listTurnsOf(db, userId, at))
  yield* writeList('questions', presented(turns, presentTurn))
  const seen = pages<SeenModule>(ROWS_AT_ONCE, (at) => listSeenModules(d1, `user:${userId}`, at))
  yield* writeList('learning', presented(seen, presentSeen))
  const sessions = pages<PlayedSession>(SESSIONS_AT_ONCE, (at) => listSessionsOf(d1, `user:${userId}`, at))
  yield* writeList('learningSessions', presented(sessions, presentSession))
  const uses = pages<UseRow>(ROWS_AT_ONCE, (at) => listUsesOf(d1, userId, at))
  yield* writeList('quotaUses', presented(uses, presentUse(userId)))
  const opened = pages<OpenedRow>(ROWS_AT_ONCE, (at) => listOpenedOf(db, userId, at))
  yield* writeList('openedModules', presented(opened, presentOpenedRow))
  yield ',"isComplete":true}\n'
}

async function* writeList(name: string, lists: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  yield `,\n"${name}":[`
  let isFirst = true
  for await (const items of lists) {
    if (items.length === 0) continue
    yield `${isFirst ? '' : ','}\n${items.map((item) => JSON.stringify(item)).join(',\n')}`
    isFirst = false
  }
  yield ']'
}

/** All rows, some at a time. */
async function* pages<Row>(
  limit: number,
  read: (at: { after: Row | null; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: Row | null = null; ; ) {
    const rows: Row[] = await read({ after, limit })
    yield rows
    after = rows.at(-1) ?? null
    if (rows.length < limit) return
  }
}

async function* presented<Row, Item>(lists: AsyncIterable<Row[]>, present: (row: Row) => Item): AsyncGenerator<Item[]> {
  for await (const rows of lists) yield rows.map(present)
}

async function* readModules(context: Context, account: ExportedAccount): AsyncGenerator<AccountExport['modules']> {
  const { db } = context
  const { userId, nowMs } = account
  const live = pages<ModuleRow>(MODULES_AT_ONCE, (at) => listUploadedBy(db, userId, at))
  for await (const rows of live) yield await presentModules(context, account, rows)
  const deleted = pages<DeletedRow>(MODULES_AT_ONCE, (at) => listRestorableOf(db, userId, { ...at, nowMs }))
  for await (const rows of deleted) yield await presentModules(context, account, rows)
}

async function presentModules(
  context: Context,
  account: ExportedAccount,
  rows: (ModuleRow & { deletedAt?: number })[],
): Promise<AccountExport['modules']> {
  const ids = rows.map(({ id }) => id)
  const steps = await listStepsOf(context.db, ids)
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      title: row.title,
      filename: row.filename,
      status: row.status,
      createdAt: toIso(row.createdAt),
      deletedAt: toIso(row.deletedAt ?? null),
      totalDuration: row.durationMs === null ? null : row.durationMs / 1000,
      language: row.language,
      glossary: row.glossary,
      shared: row.shared,
      organizationId: row.orgId,
      videoUrl: await videoUrlOf(context, account, row),
      steps: (steps.get(row.id) ?? []).map((step) => presentStep(step, 'owner')),
      transcript: (await readTranscript(context, row)).segments.map(presentSegment),
    })),
  )
}

async function videoUrlOf(
  { secrets }: Context,
  { origin, nowMs }: ExportedAccount,
  row: ModuleRow & { deletedAt?: number },
): Promise<string | null> {
  if (row.sourceEtag === null || row.deletedAt !== undefined) return null
  const asked = { moduleId: row.id, role: 'owner', caller: { userId: row.userId, orgId: null }, nowMs } as const
  return `${origin}${videoPath(row.id, await issueVideoTicket(secrets, asked, EXPORT_TICKET_TTL_MS))}`
}

function presentFeedback(row: FeedbackRow): AccountExport['feedback'][number] {
  const { moduleId, type, action, context, userMessage, aiResponse } = row
  return { moduleId, type, action, context, userMessage, aiResponse, timestamp: toIso(row.createdAt) }
}

function presentTurn(row: TurnRow): AccountExport['questions'][number] {
  const videoTime = row.videoTimeMs === null ? null : row.videoTimeMs / 1000
  return {
    moduleId: row.moduleId,
    question: row.question,
    answer: row.answer,
    videoTime,
    timestamp: toIso(row.createdAt),
  }
}

function presentSeen(row: SeenModule): AccountExport['learning'][number] {
  return {
    moduleId: row.moduleId,
    seen: row.seen.map(([from, to]) => [from, to]),
    position: row.positionS,
    completedAt: toIso(row.completedAt),
    firstAt: toIso(row.firstAt),
    lastAt: toIso(row.lastAt),
  }
}

function presentSession(row: PlayedSession): AccountExport['learningSessions'][number] {
  const { moduleId, played, positionS: position } = row
  return { moduleId, played, position, startedAt: toIso(row.startedAt), lastAt: toIso(row.lastAt) }
}

function presentUse(userId: string) {
  return ({ kind, moduleId, day, amount }: UseRow): AccountExport['quotaUses'][number] => ({
    kind,
    moduleId: moduleId === userId ? null : moduleId,
    day,
    amount: amount / UNITS[kind],
  })
}

function presentOpenedRow({ moduleId, openedAt }: OpenedRow): AccountExport['openedModules'][number] {
  return { moduleId, openedAt: toIso(openedAt) }
}

function toIso(ms: number): string
function toIso(ms: number | null): string | null
function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
