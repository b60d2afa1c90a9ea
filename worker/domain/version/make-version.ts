import { ImageName } from '#contract/image.ts'
import { largeName, wideName } from '#contract/image-url.ts'
import type { LanguageTag } from '#contract/languages.ts'
import type { Step } from '#contract/step.ts'
import type { VersionContent } from '#contract/version.ts'
import { VersionFields } from '#contract/version.ts'
import type { Context } from '#worker/core/context.ts'
import { listAnswers, selectPrinted } from '#worker/domain/answer/answer-store.ts'
import { imagesOf } from '#worker/domain/image/image.ts'
import { presentModule } from '#worker/domain/module/module-list-store.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { presentSteps } from '#worker/domain/step/read-steps.ts'
import { listShownSteps } from '#worker/domain/step/step-store.ts'
import { openDraft } from './learner-view.ts'
import { addObject, type HashedTexts } from './version-objects.ts'

/** What the draft of a module would be as a version. */
export interface DraftVersion {
  content: VersionContent
  hash: string
  /** All of its objects, the content among them. */
  texts: HashedTexts
}

type DraftContext = Pick<Context, 'db' | 'bucket'>

/** Makes a version of the draft of a module, as learners see it while no versions are published. Nothing is stored. */
export async function makeVersion(context: DraftContext, module: ModuleRow): Promise<DraftVersion> {
  const texts: HashedTexts = new Map()
  const draft = openDraft(context, module)
  const [rows, transcript, { original, languages }, notes, answers, blocks] = await Promise.all([
    listShownSteps(context.db, module),
    draft.readTranscript(),
    draft.readTexts(null),
    draft.readNotes(),
    listAnswers(context.db, module.id),
    draft.readScreen(),
  ])
  const hasTranscript = transcript.segments.length > 0
  const translations: VersionContent['translations'] = {}
  for (const language of languages)
    translations[language] = await addTranslation(texts, { draft, language, hasTranscript })
  const imageAtOf = new Map(rows.map(({ id, imageAt }) => [id, imageAt]))
  const steps = presentSteps(rows, 'viewer', module).map((step) => {
    return { ...step, imageAt: imageAtOf.get(step.id) ?? null }
  })
  const shown = { posterUrl: null, mayDelete: false, organization: null }
  const content: VersionContent = {
    format: 'adapt-version-1',
    module: VersionFields.parse(presentModule(module, 'viewer', shown)),
    language: module.language,
    original,
    steps,
    notes,
    ...(answers.length > 0 && { answers: selectPrinted(answers) }),
    cuts: module.cuts,
    video: module.sourceEtag === null ? null : { etag: module.sourceEtag, sizeBytes: module.sourceSizeBytes ?? 0 },
    captions: hasTranscript ? await addObject(texts, transcript) : null,
    screen: blocks.length > 0 ? await addObject(texts, blocks) : null,
    translations,
    images: await readImageTags(context.bucket, module.id, steps),
  }
  return { content, hash: await addObject(texts, { ...content, steps: steps.map(leaveOutBlank) }), texts }
}

/** Versions of before steps had a focus have the same content under the same name. */
function leaveOutBlank<OfStep extends Pick<Step, 'focus'>>({ focus, ...step }: OfStep) {
  return focus === null ? step : { ...step, focus }
}

interface Translated {
  draft: ReturnType<typeof openDraft>
  language: LanguageTag
  hasTranscript: boolean
}

async function addTranslation(texts: HashedTexts, { draft, language, hasTranscript }: Translated) {
  const [{ title, steps, translation }, printed] = await Promise.all([
    draft.readTexts(language),
    draft.readPrinted(language),
  ])
  const answers = printed.flatMap(({ id, question, text, translation: by }) =>
    by === null ? [] : [{ id, question, text, translation: by }],
  )
  const page = await addObject(texts, {
    title,
    steps: steps.map(leaveOutBlank),
    translation,
    ...(answers.length > 0 && { answers }),
  })
  if (!hasTranscript) return { page, captions: null }
  const cues = await draft.readCues(language)
  return {
    page,
    captions: await addObject(
      texts,
      cues.map(({ text }) => text),
    ),
  }
}

/** Reads the ETags of the images that steps show, in all sizes, by their names. */
async function readImageTags(
  bucket: R2Bucket,
  moduleId: string,
  steps: readonly { image: string | null }[],
): Promise<Record<string, string>> {
  const prefix = imagesOf(moduleId)
  const own = steps.flatMap(({ image }) => {
    const name = ImageName.safeParse(image)
    return name.success ? [name.data, largeName(name.data), wideName(name.data)] : []
  })
  const names = new Set<string>(own)
  const tags: Record<string, string> = {}
  if (names.size === 0) return tags
  for (let cursor: string | undefined, hasMore = true; hasMore; ) {
    const listed = await bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) })
    for (const { key, etag } of listed.objects) {
      const name = key.slice(prefix.length)
      if (names.has(name)) tags[name] = etag
    }
    hasMore = listed.truncated
    cursor = listed.truncated ? listed.cursor : undefined
  }
  return tags
}
