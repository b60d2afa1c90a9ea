import { makeZip } from 'client-zip'
import { largeName, wideName } from '#contract/image-url.ts'
import { type InterfaceLanguage, interfaceOf, type LanguageTag } from '#contract/languages.ts'
import { inLanguage, type SharedFile, sharePath } from '#contract/share-page.ts'
import type { SharedStep } from '#contract/step.ts'
import { writeChapters, writePlainText, writeSrt, writeVtt } from '#media/write-captions.ts'
import type { Context } from '#worker/core/context.ts'
import { presentAnswer } from '#worker/domain/answer/present-answer.ts'
import { imagesOf } from '#worker/domain/image/image.ts'
import { listShownImages } from '#worker/domain/image/image-store.ts'
import { getSharedModule, type LinkContext, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { linkIdOf } from '#worker/domain/module/link-state.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { ReadTexts } from '#worker/domain/translation/apply-translation.ts'
import { type LearnerView, openDraft, openLearnerView } from '#worker/domain/version/learner-view.ts'
import { hasCaptions } from './read-share.ts'
import { type WrittenAnswer, type WrittenTraining, writeMarkdown } from './write-markdown.ts'
import { writePrintPage } from './write-print.ts'

type FileContext = Pick<Context, 'db' | 'bucket'>
type LinkedContext = FileContext & LinkContext

/** A module with all that its files are written from. */
interface ReadTraining extends ReadTexts {
  module: ModuleRow
  /** Names of the images that steps show, with their types. */
  images: ReadonlyMap<string, string>
  answers: readonly WrittenAnswer[]
}

/** Reads what the steps of a module are written down from. @param wanted language; null for the original */
async function readTraining(
  { db }: Pick<FileContext, 'db'>,
  view: LearnerView,
  wanted: LanguageTag | null = null,
): Promise<ReadTraining> {
  const { module } = view
  const [texts, imageRows, printed] = await Promise.all([
    view.readTexts(wanted),
    listShownImages(db, module.id),
    view.readPrinted(wanted),
  ])
  const steps = printed.length === 0 ? [] : await view.readSteps()
  const answers = await Promise.all(
    printed.map(async (row): Promise<WrittenAnswer> => {
      const language = row.translation === null && texts.translation !== null ? texts.original : null
      return { ...(await presentAnswer(row, steps, texts.steps)), ...(language !== null && { language }) }
    }),
  )
  const images = new Map<string, string>(imageRows.map(({ name, contentType }) => [name, contentType]))
  return { ...texts, module, images, answers }
}

/** Opens what anyone with the link sees of a module. @throws {AppError} not_found also when sharing is off */
async function openShared(context: LinkedContext, linkId: string): Promise<LearnerView> {
  return openLearnerView(context, await getSharedModule(context, linkId))
}

/** Address at which anyone with the link plays the video from a second on. */
function playUrlOf(origin: string, moduleId: string, language: string | null): (atS: number) => string {
  const page = `${origin}${sharePath(moduleId)}`
  return (atS) => {
    const query = [atS === 0 ? '' : `t=${atS}`, inLanguage(language).slice(1)].filter(Boolean).join('&')
    return query === '' ? page : `${page}?${query}`
  }
}

/** Name of the larger image of a step, of the wide one for a part of it; null where it has none of its own. */
function findImage({ images }: Pick<ReadTraining, 'images'>, { image, focus }: SharedStep): string | null {
  if (image === null || !images.has(image)) return null
  const names = [...(focus === null ? [] : [wideName(image)]), largeName(image)]
  return names.find((name) => images.has(name)) ?? image
}

const TYPES = {
  md: 'text/markdown; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
} as const

/** Type of a file by its name. */
export function typeOfFile(name: SharedFile): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES]
}

/** Which file or page is written, for whom. */
interface Wanted {
  linkId: string
  /** Where the app is open. */
  origin: string
  /** Language of its texts; null for the original. */
  language: LanguageTag | null
}

/**
 * Writes a file of a module for anyone with the link.
 * @throws {AppError} not_found also when sharing is off, and for captions while there is nothing to show
 */
export async function writeSharedFile(
  context: LinkedContext,
  { linkId, name, origin, language }: Wanted & { name: SharedFile },
): Promise<{ module: ModuleRow; text: string }> {
  const view = await openShared(context, linkId)
  const { module } = view
  if (name === 'captions.vtt' || name === 'captions.srt') {
    if (!hasCaptions(module)) throw moduleNotFound()
    const cues = await view.readCues(language)
    return { module, text: name === 'captions.vtt' ? writeVtt(cues) : writeSrt(cues) }
  }
  const training = await readTraining(context, view, language)
  if (name === 'chapters.vtt') return { module, text: writeChapters(chaptersOf(training)) }
  return { module, text: writeMarkdown(addressTraining(training, origin)) }
}

/**
 * Writes the page that a module is printed from, for anyone with the link.
 * @throws {AppError} not_found also when sharing is off
 */
export async function writePrint(
  context: LinkedContext,
  { linkId, origin, language }: Wanted,
): Promise<{ module: ModuleRow; text: string }> {
  const view = await openShared(context, linkId)
  const { module } = view
  const training = await readTraining(context, view, language)
  const { translation, original } = training
  const tag = tagOfPage(training, language)
  const steps = markOriginal(training, tag)
  const pagePath = `${sharePath(linkIdOf(module))}${inLanguage(translation?.language ?? (tag === interfaceOf(original) ? null : tag))}`
  return {
    module,
    text: writePrintPage({
      ...addressTraining(training, origin),
      tag,
      steps,
      module,
      translation,
      pagePath,
      version: view.version?.number ?? module.stepsVersion,
    }),
  }
}

/** The language of the app around the texts of a training. @param wanted null: that of the training itself */
export function tagOfPage({ original }: Pick<ReadTexts, 'original'>, wanted: LanguageTag | null): InterfaceLanguage {
  return interfaceOf(wanted ?? original)
}

/** Steps that say in which language they are, where it is not that of the page around them. */
export function markOriginal(
  { steps, original, translation }: Pick<ReadTexts, 'steps' | 'original' | 'translation'>,
  tag: InterfaceLanguage,
): SharedStep[] {
  if (translation !== null || original === null || interfaceOf(original) === tag) return steps
  return steps.map((step) => ({ ...step, language: original }))
}

/** A training with addresses that are good while it is shared. */
function addressTraining(training: ReadTraining, origin: string): WrittenTraining {
  const { title, translation, module } = training
  const tag = tagOfPage(training, translation?.language ?? null)
  const id = linkIdOf(module)
  const imageUrl = (step: SharedStep) => {
    const image = findImage(training, step)
    return image && `${origin}${sharePath(id)}/images/${image}`
  }
  const { steps, answers } = training
  return { title, tag, steps, answers, playUrl: playUrlOf(origin, id, translation?.language ?? null), imageUrl }
}

function chaptersOf({ steps }: ReadTraining) {
  return steps.map(({ timestamp, duration, title }) => ({ start: timestamp, end: timestamp + duration, text: title }))
}

/** Writes what is said in a module's video as text, for its owners; empty while nothing is known of it. */
export async function writeTranscript(context: FileContext, module: ModuleRow): Promise<string> {
  return writePlainText(await openDraft(context, module).readCues(null))
}

/**
 * Writes all files of a module, as learners see it, in all its languages, into one ZIP file for its owners; images are
 * read one at a time.
 */
export async function writeZip(
  context: FileContext,
  module: ModuleRow,
  { origin, nowMs }: { origin: string; nowMs: number },
): Promise<ReadableStream<Uint8Array>> {
  const view = await openLearnerView(context, module)
  const lastModified = new Date(nowMs)
  async function* list() {
    const images = new Map<string, string>()
    for (const language of [null, ...view.module.languages]) {
      const training = await readTraining(context, view, language)
      // Nothing of it is there yet.
      if (training.translation === null && language !== null) continue
      const imageUrl = (step: SharedStep) => {
        const image = findImage(training, step)
        if (image === null) return null
        const file = `images/${image}.${training.images.get(image) === 'image/jpeg' ? 'jpg' : 'webp'}`
        images.set(image, file)
        return file
      }
      const cues = await view.readCues(language)
      const texts = {
        'steps.md': writeMarkdown({ ...addressTraining(training, origin), imageUrl }),
        'chapters.vtt': writeChapters(chaptersOf(training)),
        ...(cues.length > 0 && {
          'captions.vtt': writeVtt(cues),
          'captions.srt': writeSrt(cues),
          'transcript.txt': writePlainText(cues),
        }),
      }
      for (const [name, input] of Object.entries(texts))
        yield { name: language === null ? name : name.replace('.', `.${language}.`), input, lastModified }
    }
    for (const [image, name] of images) {
      const object = await context.bucket.get(`${imagesOf(module.id)}${image}`)
      // Another owner may have replaced or removed it since the list was read.
      if (object !== null) yield { name, input: object.body, lastModified }
    }
  }
  return makeZip(list())
}
