import type { AccountExport } from '#contract/account.ts'
import type { Context } from '#worker/core/context.ts'
import { readPages } from '#worker/db/read-pages.ts'
import { type CollectionRow, listCollectionsOf } from '#worker/domain/collection/collection-store.ts'
import { type FeedbackRow, listFeedbackOf } from '#worker/domain/feedback/feedback-store.ts'
import {
  listSeenModules,
  listSessionsOf,
  type PlayedSession,
  type SeenModule,
} from '#worker/domain/learning/learner-account-store.ts'
import { accountLearnerId } from '#worker/domain/learning/learner-token.ts'
import { EXPORT_TICKET_TTL_MS, issueVideoTicket, videoPath } from '#worker/domain/live/ticket.ts'
import { type DeletedRow, listRestorableOf } from '#worker/domain/module/deleted-store.ts'
import { type InvitationRow, listInvitationsOf } from '#worker/domain/module/invitation-store.ts'
import { listUploadedBy, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { listOpenedOf, type OpenedRow } from '#worker/domain/opened/opened-store.ts'
import { listUsesOf, type UseRow } from '#worker/domain/quota/quota-store.ts'
import { UNITS } from '#worker/domain/quota/take-quota.ts'
import { presentStep } from '#worker/domain/step/read-steps.ts'
import { listStepsOf } from '#worker/domain/step/step-store.ts'
import { listReportsOf, type StepReportRow } from '#worker/domain/step-report/step-report-store.ts'
import { streamText } from '#worker/domain/stream-text.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { presentSegment, readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { listAllTranslations } from '#worker/domain/translation/translation-store.ts'
import { listTurnsOf, type TurnRow } from '#worker/domain/tutor/turn-store.ts'
import { type CheckRow, listChecksOf } from '#worker/domain/version/due-reviews.ts'
import { type CommentRow, listCommentsOf } from '#worker/domain/version/review-comments.ts'
import { listVersionsOf } from '#worker/domain/version/version-store.ts'

interface ExportedAccount {
  userId: string
  /** Where this Adapt is reached. */
  origin: string
  nowMs: number
}

/** Modules whose steps and transcripts are in memory at once: of an hour each, some megabytes. */
const MODULES_AT_ONCE = 10
const ROWS_AT_ONCE = 500
/** A session row has some kilobytes of played ranges. */
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
  yield* writeList('modules', readModules(context, account), (module) => module)
  const collections = readPages<CollectionRow>(ROWS_AT_ONCE, (page) => listCollectionsOf(db, userId, page))
  yield* writeList('collections', collections, ({ userId: _userId, orgId: organizationId, ...row }) => {
    return { ...row, organizationId, createdAt: toIso(row.createdAt), updatedAt: toIso(row.updatedAt) }
  })
  const feedback = readPages<FeedbackRow>(ROWS_AT_ONCE, (page) => listFeedbackOf(db, userId, page))
  yield* writeList('feedback', feedback, ({ id: _id, userId: _userId, createdAt, ...rating }) => {
    return { ...rating, timestamp: toIso(createdAt) }
  })
  const turns = readPages<TurnRow>(ROWS_AT_ONCE, (page) => listTurnsOf(db, userId, page))
  yield* writeList('questions', turns, ({ moduleId, question, answer, videoTimeMs, createdAt }) => {
    return { moduleId, question, answer, videoTime: toSeconds(videoTimeMs), timestamp: toIso(createdAt) }
  })
  const learnerId = accountLearnerId(userId)
  const seen = readPages<SeenModule>(ROWS_AT_ONCE, (page) => listSeenModules(d1, learnerId, page))
  yield* writeList('learning', seen, ({ moduleId, positionS: position, ...row }) => {
    const [completedAt, firstAt, lastAt] = [toIso(row.completedAt), toIso(row.firstAt), toIso(row.lastAt)]
    return { moduleId, seen: row.seen.map((range) => [...range]), position, completedAt, firstAt, lastAt }
  })
  const sessions = readPages<PlayedSession>(SESSIONS_AT_ONCE, (page) => listSessionsOf(d1, learnerId, page))
  yield* writeList('learningSessions', sessions, ({ moduleId, played, positionS: position, startedAt, lastAt }) => {
    return { moduleId, played, position, startedAt: toIso(startedAt), lastAt: toIso(lastAt) }
  })
  const uses = readPages<UseRow>(ROWS_AT_ONCE, (page) => listUsesOf(d1, userId, page))
  yield* writeList('quotaUses', uses, ({ kind, moduleId, day, amount }) => {
    return { kind, moduleId: moduleId === userId ? null : moduleId, day, amount: amount / UNITS[kind] }
  })
  const opened = readPages<OpenedRow>(ROWS_AT_ONCE, (page) => listOpenedOf(db, userId, page))
  yield* writeList('openedModules', opened, ({ moduleId, openedAt }) => ({ moduleId, openedAt: toIso(openedAt) }))
  const invited = readPages<InvitationRow>(ROWS_AT_ONCE, (page) => listInvitationsOf(db, userId, page))
  yield* writeList('editedModules', invited, ({ moduleId, userName, acceptedAt }) => {
    return { moduleId, name: userName ?? '', acceptedAt: toIso(acceptedAt ?? 0) }
  })
  const reports = readPages<StepReportRow>(ROWS_AT_ONCE, (page) => listReportsOf(db, learnerId, page))
  yield* writeList('stepReports', reports, ({ moduleId, stepId, kind, text, photoType, createdAt }) => {
    return { moduleId, stepId, kind, text, hasPhoto: photoType !== null, timestamp: toIso(createdAt) }
  })
  const comments = readPages<CommentRow>(ROWS_AT_ONCE, (page) => listCommentsOf(db, userId, page))
  yield* writeList('reviewComments', comments, ({ moduleId, number: version, stepId, name, text, createdAt }) => {
    return { moduleId, version, stepId, name, text, timestamp: toIso(createdAt) }
  })
  const checks = readPages<CheckRow>(ROWS_AT_ONCE, (page) => listChecksOf(db, userId, page))
  yield* writeList('versionChecks', checks, ({ moduleId, number: version, name, checkedAt }) => {
    return { moduleId, version, name, timestamp: toIso(checkedAt) }
  })
  yield ',"isComplete":true}\n'
}

/** Fields of the export that are lists. */
type ListName = Exclude<keyof AccountExport, 'format' | 'exportedAt' | 'userId' | 'videoUrlsGoodUntil' | 'isComplete'>

async function* writeList<Name extends ListName, Row>(
  name: Name,
  pages: AsyncIterable<Row[]>,
  present: (row: Row) => AccountExport[Name][number],
): AsyncGenerator<string> {
  yield `,\n"${name}":[`
  let isFirst = true
  for await (const rows of pages) {
    yield `${isFirst ? '' : ','}\n${rows.map((row) => JSON.stringify(present(row))).join(',\n')}`
    isFirst = false
  }
  yield ']'
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000
}

async function* readModules(context: Context, account: ExportedAccount): AsyncGenerator<AccountExport['modules']> {
  const { db } = context
  const { userId, nowMs } = account
  const live = readPages<ModuleRow>(MODULES_AT_ONCE, (page) => listUploadedBy(db, userId, page))
  for await (const rows of live) yield await presentModules(context, account, rows)
  const deleted = readPages<DeletedRow>(MODULES_AT_ONCE, (page) => listRestorableOf(db, userId, { ...page, nowMs }))
  for await (const rows of deleted) yield await presentModules(context, account, rows)
}

async function presentModules(
  context: Context,
  account: ExportedAccount,
  rows: (ModuleRow & { deletedAt?: number })[],
): Promise<AccountExport['modules']> {
  const ids = rows.map(({ id }) => id)
  const [steps, translated, versions] = await Promise.all([
    listStepsOf(context.db, ids),
    listAllTranslations(context.db, ids),
    listVersionsOf(context.db, ids),
  ])
  const translations = Map.groupBy(translated, ({ moduleId }) => moduleId)
  return Promise.all(
    rows.map(async (row) => {
      const { id, title, filename, status, language, glossary, shared, orgId: organizationId } = row
      const plain = { id, title, filename, status, language, glossary, shared, organizationId }
      return {
        ...plain,
        createdAt: toIso(row.createdAt),
        deletedAt: toIso(row.deletedAt ?? null),
        totalDuration: toSeconds(row.durationMs),
        videoUrl: await videoUrlOf(context, account, row),
        cuts: row.cuts,
        steps: (steps.get(id) ?? []).map((step) => presentStep(step, 'owner')),
        transcript: (await readTranscript(context, row)).segments.map(presentSegment),
        translations: (translations.get(id) ?? []).map(({ language: to, item, texts, writer, state, writtenAt }) => {
          return { language: to, item, texts, writer, state, writtenAt: toIso(writtenAt) }
        }),
        versions: (versions.get(id) ?? []).map(({ number, hash, note, retraining, publishedAt }) => {
          return { number, hash, note, retraining, publishedAt: toIso(publishedAt) }
        }),
      }
    }),
  )
}

async function videoUrlOf(
  { secrets }: Context,
  { origin, nowMs }: ExportedAccount,
  row: ModuleRow & { deletedAt?: number },
): Promise<string | null> {
  if (row.sourceEtag === null || row.deletedAt !== undefined) return null
  const ticketOptions = { moduleId: row.id, role: 'owner', caller: { userId: row.userId, orgId: null }, nowMs } as const
  return `${origin}${videoPath(row.id, await issueVideoTicket(secrets, ticketOptions, EXPORT_TICKET_TTL_MS))}`
}
