import { z } from 'zod'
import type { LanguageTag } from '#contract/languages.ts'
import { type ModuleRole, seesDraft, UNPUBLISHED } from '#contract/module.ts'
import { ScreenBlock } from '#contract/screen.ts'
import type { Step, StepsAnswer } from '#contract/step.ts'
import { listVisibleLines } from '#contract/time/visible-time.ts'
import { TranscriptAnswer, type TranscriptSegment } from '#contract/transcript.ts'
import { type PrintedAnswer, TranslatedPage, VersionContent, type VersionFields } from '#contract/version.ts'
import type { Cue } from '#media/write-captions.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listPrinted } from '#worker/domain/answer/answer-store.ts'
import { asLearnersSee } from '#worker/domain/module/learner-source.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { readBlocks } from '#worker/domain/screen/read-blocks.ts'
import { answerTranscript } from '#worker/domain/step/correct-transcript.ts'
import {
  listVisibleShared,
  presentSharedStep,
  presentSteps,
  readSteps,
  toSharedStep,
} from '#worker/domain/step/read-steps.ts'
import { listShownSteps } from '#worker/domain/step/step-store.ts'
import { readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import {
  listTranslatedAnswers,
  putAnswers,
  type ReadAnswer,
  type ReadTexts,
  readCuesIn,
  readInLanguage,
} from '#worker/domain/translation/apply-translation.ts'
import { listVisibleRows, listVisibleStepRows } from '#worker/domain/visible-rows.ts'
import { readObject } from './version-objects.ts'
import { findVersion, type VersionRow } from './version-store.ts'

type ViewContext = Pick<Context, 'db' | 'bucket'>

/** A transcript without what owners alone see. */
export type LearnerTranscript = Omit<TranscriptAnswer, 'success' | 'orphaned'>

/** What learners see of a training: its draft, or the version that was published last. Texts are read when they are asked for. */
export interface LearnerView {
  /** The module with the title, the language and the length that learners see. */
  module: ModuleRow
  /** What else of the module's own fields is of the version, for answers; empty for the draft. */
  fields: Partial<z.infer<typeof VersionFields>>
  /** The version; null for the draft. */
  version: VersionRow | null
  readSteps(): Promise<Step[]>
  /** @param wanted null, or a language that it is not translated into, gives the original */
  readTexts(wanted: LanguageTag | null): Promise<ReadTexts>
  readTranscript(): Promise<LearnerTranscript>
  readCues(wanted: LanguageTag | null): Promise<Cue[]>
  /** Teaching notes that the tutor may quote. */
  readNotes(): Promise<VersionContent['notes']>
  /** Answers of the trainer that stand in print and in exports. @param wanted as of `readTexts` */
  readPrinted(wanted: LanguageTag | null): Promise<ReadAnswer[]>
  /** Texts that the video shows, in order of time. */
  readScreen(): Promise<ScreenBlock[]>
}

/** A published version with its content. */
export interface PublishedVersion {
  version: VersionRow
  content: VersionContent
}

/**
 * Finds what learners see of a module in place of its draft. All readers of learners ask this function. Before the first
 * version nobody but owners opens a module (`isForOthers` of `worker/domain/module/link-state.ts`).
 * @returns null where they see the draft
 * @throws {AppError} unavailable where the version cannot be read: a draft is never shown in its place
 */
export async function findPublished(context: ViewContext, module: ModuleRow): Promise<PublishedVersion | null> {
  const { id: moduleId, publishedVersion: number } = module
  if (number === null || number === UNPUBLISHED) return null
  const version = await findVersion(context.db, { moduleId, number })
  if (version === null) throw new AppError('unavailable', 'This training cannot be read right now. Please try again.')
  return { version, content: await readObject(context.bucket, version, VersionContent) }
}

/** Opens what learners see of a module. */
export async function openLearnerView(context: ViewContext, module: ModuleRow): Promise<LearnerView> {
  const published = await findPublished(context, module)
  return published === null ? openDraft(context, module) : openVersion(context, module, published)
}

/** Opens the draft of a module as learners see it while no versions are published. */
export function openDraft(context: ViewContext, module: ModuleRow): LearnerView {
  // A version is made of one reading of the steps and of the transcript, in however many languages.
  const listRows = once(() => listShownSteps(context.db, module))
  const listSteps = async () => presentSteps(await listRows(), 'viewer', module)
  const readSegments = once(() => readTranscript(context, module))
  const listOwnPrinted = once(() => listPrinted(context.db, module.id))
  const readLearnerTranscript = once(async () => {
    const { success: _success, orphaned: _orphaned, ...transcript } = await answerTranscript(context, module, 'viewer')
    return transcript
  })
  return {
    module,
    fields: {},
    version: null,
    readSteps: listSteps,
    // Translated before: what stands together is translated together, also where some of it is left out.
    readTexts: async (wanted) => {
      const steps = (await listRows()).map((row) => presentSharedStep(row, module))
      const texts = await readInLanguage(context.db, { module, steps }, wanted)
      return { ...texts, steps: listVisibleShared(texts.steps, module.cuts) }
    },
    readTranscript: readLearnerTranscript,
    readCues: async (wanted) => {
      const { segments } = await readSegments()
      const isOn = wanted !== null && module.languages.includes(wanted)
      const cues = await readCuesIn(context.db, { moduleId: module.id, segments }, isOn ? wanted : null)
      return listVisibleLines(cues, module.cuts)
    },
    readNotes: async () => listQuotable(listVisibleStepRows(await listRows(), module.cuts)),
    readPrinted: async (wanted) => {
      const answers = await listOwnPrinted()
      const of = { moduleId: module.id, answers }
      return putAnswers(answers, wanted === null ? [] : await listTranslatedAnswers(context.db, of, wanted))
    },
    readScreen: async () => listVisibleRows(await readBlocks(context, module), module.cuts),
  }
}

/** Reads when it is first asked for, and gives the same afterwards. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}

/** The teaching notes that the tutor may quote to learners. */
export function listQuotable(
  rows: readonly { id: string; notes: string; notesQuotable: boolean }[],
): VersionContent['notes'] {
  return rows.flatMap(({ id: stepId, notes: text, notesQuotable }) =>
    notesQuotable && text !== '' ? [{ stepId, text }] : [],
  )
}

/** A segment in milliseconds, as captions are made of it. */
export function toCaption({ id, start, end, text, speaker }: TranscriptSegment) {
  const times = { startMs: Math.round(start * 1_000), endMs: Math.round(end * 1_000) }
  return { id, ...times, text, ...(speaker !== undefined && { speaker }) }
}

/** Captions in another language: a text for each segment. */
const TranslatedCues = z.array(z.string())

/** The transcript of a version, as {@link LearnerTranscript}. */
const StoredTranscript = TranscriptAnswer.omit({ success: true, orphaned: true })

const NO_TRANSCRIPT: LearnerTranscript = {
  source: null,
  language: null,
  segments: [],
  isRough: false,
  withoutSpeech: [],
}

/** Opens a version as learners see it. */
export function openVersion(
  { db, bucket }: ViewContext,
  module: ModuleRow,
  { version, content }: PublishedVersion,
): LearnerView {
  const moduleId = module.id
  const { title, totalDuration, videoCodec } = content.module
  const steps = content.steps.map((step) => ({ ...step, imageAt: null }))
  const languages = Object.keys(content.translations) as LanguageTag[]
  const readTranslatedPage = async (wanted: LanguageTag) => {
    const hash = content.translations[wanted]?.page
    return hash === undefined ? null : readObject(bucket, { moduleId, hash }, TranslatedPage)
  }
  const readTranscript = async () =>
    content.captions === null
      ? NO_TRANSCRIPT
      : readObject(bucket, { moduleId, hash: content.captions }, StoredTranscript)
  return {
    module: {
      ...asLearnersSee(module),
      title,
      languages,
      language: content.language,
      videoCodec: videoCodec ?? null,
      durationMs: totalDuration === null ? null : Math.round(totalDuration * 1_000),
      transcriptRun: content.captions === null ? null : (module.transcriptRun ?? 0),
      stepsVersion: version.stepsVersion,
      updatedAt: version.publishedAt,
      cuts: content.cuts,
    },
    fields: content.module,
    version,
    readSteps: async () => steps,
    readNotes: async () => content.notes,
    readPrinted: async (wanted) => {
      const answers = content.answers ?? (await listPrintedBy(db, version))
      const page = answers.length === 0 || wanted === null ? null : await readTranslatedPage(wanted)
      return putAnswers(answers, page?.answers ?? [])
    },
    readScreen: async () =>
      content.screen === null ? [] : readObject(bucket, { moduleId, hash: content.screen }, z.array(ScreenBlock)),
    readTexts: async (wanted) => {
      const original = { title, steps: steps.map(toSharedStep), original: content.original, languages }
      const page = wanted === null ? null : await readTranslatedPage(wanted)
      if (page === null) return { ...original, translation: null }
      const { answers: _answers, ...texts } = page
      return { ...original, ...texts }
    },
    readTranscript,
    readCues: async (wanted) => {
      const { segments } = await readTranscript()
      const hash = wanted === null ? null : (content.translations[wanted]?.captions ?? null)
      const texts = hash === null ? null : await readObject(bucket, { moduleId, hash }, TranslatedCues)
      return segments.map(({ start, end, text, speaker }, index) => {
        return { start, end, text: texts?.[index] ?? text, ...(speaker !== undefined && { speaker }) }
      })
    },
  }
}

/** What stands in print of a version that says nothing of answers: those of its time, which nobody has released since. */
async function listPrintedBy(db: ViewContext['db'], { moduleId, publishedAt }: VersionRow): Promise<PrintedAnswer[]> {
  return (await listPrinted(db, moduleId)).filter(({ answeredAt }) => answeredAt <= publishedAt)
}

/** Reads steps for a caller of this role: those who change it see the draft. @throws {AppError} as `readSteps` */
export async function readStepsFor(context: ViewContext, module: ModuleRow, role: ModuleRole): Promise<StepsAnswer> {
  const view = seesDraft(role) ? null : await openLearnerView(context, module)
  if (view?.version == null) return readSteps(context, module, role)
  const [steps, { segments, source }] = await Promise.all([view.readSteps(), view.readTranscript()])
  return {
    success: true,
    steps,
    transcript: segments.map(({ text }) => text).join(' '),
    meta: {
      durationSec: view.fields.totalDuration ?? null,
      version: view.module.stepsVersion,
      editedVersion: 0,
      transcriptSource: source,
      cuts: view.module.cuts,
    },
  }
}

/** Reads the transcript for a caller of this role: those who change it see the draft's. */
export async function readTranscriptFor(
  context: ViewContext,
  module: ModuleRow,
  role: ModuleRole,
): Promise<TranscriptAnswer> {
  if (seesDraft(role)) return answerTranscript(context, module, role)
  const view = await openLearnerView(context, module)
  return { success: true, ...(await view.readTranscript()), orphaned: [] }
}
