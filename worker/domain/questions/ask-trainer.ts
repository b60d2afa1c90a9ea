import { nanoid } from 'nanoid'
import type { AskedQuestion, AskTrainer } from '#contract/feedback/questions.ts'
import { findLanguage, type InterfaceLanguage, type LanguageTag } from '#contract/languages.ts'
import { ASKED_SHOWN_MAX } from '#contract/limits.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { runSql } from '#worker/db/db.ts'
import { IGNORED } from '#worker/db/learner-tables.ts'
import { listAnswers, listAsked } from '#worker/domain/answer/answer-store.ts'
import { presentAnswer } from '#worker/domain/answer/present-answer.ts'
import {
  addUsesSql,
  findOverSql,
  type LearningUse,
  REPORTS_PER_DAY,
  USE_NAME_BYTES,
} from '#worker/domain/learning/learning-limits.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { makeHasher } from '#worker/domain/signed-payload.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { listTranslatedAnswers, putAnswers } from '#worker/domain/translation/apply-translation.ts'
import { indexOf, loadIndex } from '#worker/domain/tutor/answer-turn.ts'
import { openLearnerView } from '#worker/domain/version/learner-view.ts'

/** Questions to the trainer of one module on one day, of one learner … */
export const ASKED_PER_LEARNER = 10
/** … of all without an account behind one address: an office … */
export const ASKED_PER_NETWORK = 30
/** … behind one site of IPv6 … */
export const ASKED_PER_SITE = 60
/** … and of all people together: more than a trainer reads. */
export const ASKED_PER_MODULE = 200
/** As how many of the `REPORTS_PER_DAY` of its address a question counts, which bound the rows that an address writes. */
export const ASKED_AS_REPORTS = 3

/** Who asks. */
interface Asker {
  /** `anyone:…` for a device, or the id of an account. */
  userId: string
  /** The results of `networkOf` and `siteOf`; null for an account, which counts by itself, and where it is not known. */
  network: string | null
  site: string | null
  /** In which they read the app. */
  language: InterfaceLanguage
}

/** Condition and sums take ?1 to ?5; see `addUsesSql`. */
const INSERT = `
  INSERT INTO questions (id, module_id, user_id, turn_id, step_id, video_time_ms, question, is_covered, outcome,
    answered_by, created_at, ended_at, asked_at, asked_in)
  SELECT ?1, ?2, ?3, ?6, ?7, ?8, ?9, 0, 'complete', 'none', ?10, ?10, ?10, ?11
  WHERE NOT EXISTS (${findOverSql('?4', '?5')})
    AND NOT EXISTS (SELECT 1 FROM questions WHERE module_id = ?2 AND user_id = ?3 AND answered_by = '${IGNORED}')
  ON CONFLICT (module_id, user_id, turn_id) DO UPDATE SET asked_at = ?10, asked_in = ?11, settled_at = NULL
    WHERE asked_at IS NULL`
const COUNT = addUsesSql(
  'EXISTS (SELECT 1 FROM questions WHERE (id = ?1 OR module_id = ?2 AND user_id = ?3) AND asked_at = ?6)',
)

/**
 * Puts a question onto the list of a module's trainer. What a learner without an account asks is kept without a name,
 * under the random id of the device alone. A device that the trainer ignores is answered like any other.
 * @throws {AppError} rate_limited where the day has no more
 */
export async function askTrainer(
  { d1, secrets, nowMs }: Pick<Context, 'd1' | 'secrets' | 'nowMs'>,
  { id: moduleId }: Pick<ModuleRow, 'id'>,
  { question, turnId, videoTime, stepId, ...asker }: Omit<AskTrainer, 'learner'> & Asker,
): Promise<void> {
  const { userId, network, site, language } = asker
  const atMs = nowMs()
  const day = dayOf(atMs)
  const hash = await makeHasher(secrets, { purpose: 'uses', sizeBytes: USE_NAME_BYTES })
  const use = async (
    { most: reportsMax, counts: reports = 1 }: { most: number; counts?: number },
    ...of: (string | null)[]
  ): Promise<LearningUse[]> => {
    if (of.includes(null)) return []
    return [{ who: await hash(day, ...of.map(String)), learners: 0, learnersMax: null, reports, reportsMax }]
  }
  const uses = await Promise.all([
    use({ most: ASKED_PER_MODULE }, 'asked', moduleId),
    use({ most: ASKED_PER_LEARNER }, 'asked', 'learner', moduleId, userId),
    use({ most: ASKED_PER_NETWORK }, 'asked', 'network', moduleId, network),
    use({ most: ASKED_PER_SITE }, 'asked', 'site', moduleId, site),
    // The sum that `listUses` counts reports in.
    use({ most: REPORTS_PER_DAY, counts: ASKED_AS_REPORTS }, 'address', network),
  ])
  const id = nanoid()
  const shared = [id, moduleId, userId, day, JSON.stringify(uses.flat())]
  const videoTimeMs = videoTime == null ? null : Math.round(videoTime * 1_000)
  const [inserted, , ignored] = await d1.batch<{ isIgnored: number }>([
    d1.prepare(INSERT).bind(...shared, turnId, stepId ?? null, videoTimeMs, question, atMs, language),
    d1.prepare(COUNT).bind(...shared, atMs),
    d1
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM questions WHERE module_id = ?1 AND user_id = ?2
           AND (answered_by = '${IGNORED}' OR turn_id = ?3 AND asked_at IS NOT NULL)) AS isIgnored`,
      )
      .bind(moduleId, userId, turnId),
  ])
  const isKept = (inserted?.meta.changes ?? 0) > 0 || ignored?.results[0]?.isIgnored === 1
  if (isKept) return
  const message = 'Very many questions went to this trainer today. Please ask again tomorrow.'
  throw new AppError('rate_limited', message, { retryAfterS: 3_600 })
}

/**
 * Reads what one person asked the trainer of a module, the newest first.
 * @param wanted languages that the person reads, the best first
 */
export async function readAsked(
  context: Pick<Context, 'db' | 'bucket' | 'nowMs'>,
  module: ModuleRow,
  { userId, wanted }: { userId: string; wanted: readonly LanguageTag[] },
): Promise<AskedQuestion[]> {
  const { id: moduleId } = module
  const asked = await listAsked(context.db, { moduleId, userId, limit: ASKED_SHOWN_MAX })
  if (asked.length === 0) return []
  const [{ steps }, view, rows] = await Promise.all([
    loadIndex(context, indexOf(module, 'viewer')),
    openLearnerView(context, module),
    listAnswers(context.db, moduleId),
  ])
  const tag = chooseLanguage(view.module, wanted)
  const translated = tag === null ? [] : await listTranslatedAnswers(context.db, { moduleId, answers: rows }, tag)
  const shown = translated.length === 0 ? steps : (await view.readTexts(tag)).steps
  const answers = new Map(putAnswers(rows, translated).map((row) => [row.id, row]))
  return Promise.all(
    asked.map(async ({ question, askedAt, answerId }) => {
      const row = answers.get(answerId ?? '')
      const answer = row === undefined ? null : await presentAnswer(row, steps, shown)
      return { question, askedAt: toIso(askedAt), answer }
    }),
  )
}

/** Chooses the language of a training that a person reads best; null for its own. */
function chooseLanguage(
  { language, languages }: Pick<ModuleRow, 'language' | 'languages'>,
  wanted: readonly LanguageTag[],
): LanguageTag | null {
  const own = findLanguage(language)
  // Where its own is not known, what they read next best may be that.
  const read = own === null ? wanted.slice(0, 1) : wanted
  const tag = read.find((each) => each === own || languages.includes(each)) ?? own
  return tag === own ? null : tag
}

const IGNORE = `
  UPDATE questions SET answered_by = '${IGNORED}', settled_at = coalesce(settled_at, ?3)
  WHERE module_id = ?1 AND user_id = (SELECT iif(count(DISTINCT user_id) = 1, min(user_id), NULL) FROM questions
    WHERE module_id = ?1 AND id IN (SELECT value FROM json_each(?2))) AND user_id LIKE 'anyone:%'`

/**
 * Takes the device that asked some questions off the list, with all that it asked and asks from now on.
 * @throws {AppError} invalid_request where several people asked them, or an account: accounts are not ignored
 */
export async function ignoreAsker(
  d1: D1Database,
  { moduleId, ids, nowMs }: { moduleId: string; ids: readonly string[]; nowMs: number },
): Promise<void> {
  if ((await runSql(d1, IGNORE, moduleId, JSON.stringify(ids), nowMs)) > 0) return
  const message = 'Only what a single device has asked can be ignored. Settle the question instead.'
  throw new AppError('invalid_request', message)
}
