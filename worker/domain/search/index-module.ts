import type { ScreenBlock } from '#contract/screen.ts'
import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import {
  listToIndex,
  type ModuleRow,
  markAllToIndex,
  markIndexed,
  markToIndex,
} from '#worker/domain/module/module-store.ts'
import { readScreen } from '#worker/domain/screen/read-screen.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { StepRow } from '#worker/domain/step/tidy-section.ts'
import { readTranscript, type Segment } from '#worker/domain/transcript/transcript-store.ts'
import { logLine } from '#worker/log/log.ts'
import {
  completeIndex,
  hasIndex,
  type IndexedPassage,
  makeIndex,
  type Passage,
  removePassages,
  replacePassages,
} from './passage-store.ts'
import { codeOf, writeIndexed } from './search-words.ts'

/** What the search index is made from and kept in. */
type IndexContext = Pick<Context, 'db' | 'd1' | 'bucket' | 'search'>

/** Modules that one sweep indexes: each takes six calls of the thousand that an invocation may make. */
const INDEXED_PER_SWEEP = 50

/**
 * Lists modules that the search index does not hold as they are now. Where it has no tables, or those of another
 * layout, they are made first, and all modules are to be indexed.
 * @returns none while the index is away: nothing else of a sweep waits for it
 */
export async function findToIndex(context: IndexContext): Promise<ModuleRow[]> {
  const { db, d1, search } = context
  try {
    const [isThere, modules] = await Promise.all([hasIndex(search), listToIndex(db, INDEXED_PER_SWEEP)])
    if (isThere) return modules
    await makeIndex(search)
    await markAllToIndex(d1)
    await completeIndex(search)
    return await listToIndex(db, INDEXED_PER_SWEEP)
  } catch (error) {
    logLine('warn', 'search_index_away', faultOf(error))
    return []
  }
}

/** Puts a module into the index as it is now. Where it has changed meanwhile, it stays marked. */
export async function indexModule(context: IndexContext, module: ModuleRow): Promise<void> {
  const { db, search } = context
  const [steps, { segments }, blocks] = await Promise.all([
    listSteps(db, module.id),
    readTranscript(context, module),
    readScreen(context, module),
  ])
  const codes = await Promise.all(ownersOf(module).map(codeOf))
  const found = [...cutPassages(steps, segments), ...cutShown(steps, blocks)]
  const passages = found.map((passage) => addWords(codes, passage))
  await replacePassages(search, { moduleId: module.id, title: writeIndexed(codes, module.title), passages })
  if (await markIndexed(db, module)) return
  if (!(await markToIndex(db, module.id))) await removePassages(search, [module.id])
}

/** Whose lists show a module, as `listOwnerOf` names them. */
function ownersOf({ userId, orgId }: ModuleRow): string[] {
  return [`user_id:${userId}`, ...(orgId === null ? [] : [`org_id:${orgId}`])]
}

/** About a minute and a half of speech: what is searched for together is said together. */
const SAID_CHARS_MAX = 1_500

/** Cuts steps and transcript into what is found together. What was said before the first step belongs to that step. */
export function cutPassages(
  steps: readonly Pick<StepRow, 'startMs' | 'title' | 'description' | 'aliases' | 'callouts' | 'commands'>[],
  segments: readonly SaidSegment[],
): Passage[] {
  const inTime = steps.toSorted((a, b) => a.startMs - b.startMs)
  const stepAt = openSteps(inTime)
  const saidIn = Map.groupBy(segments, ({ startMs }) => stepAt(startMs))
  if (inTime.length === 0) return cutSaid({ startMs: 0, step: null, lines: [], said: [] }, segments)
  return inTime.flatMap(({ startMs, title, description, aliases, callouts, commands }, index) => {
    const texts = [...callouts, ...commands].map(({ text }) => text)
    const lines = [description, ...texts, ...aliases].filter((line) => line !== '')
    return cutSaid({ startMs, step: title, lines, said: [] }, saidIn.get(index) ?? [])
  })
}

/** Finds the index of the step that begins last before a time; of the first for what comes before all of them. */
function openSteps(inTime: readonly Pick<StepRow, 'startMs'>[]): (ms: number) => number {
  return (ms) =>
    Math.max(
      0,
      inTime.findLastIndex(({ startMs }) => startMs <= ms),
    )
}

/** Two hours of speech have as many; a log that scrolls for an hour would fill the index. */
const SHOWN_CHARS_MAX = 100_000

/** Cuts the texts of a screen into what is found together. Each is found once, where it is shown first. */
function cutShown(
  steps: readonly Pick<StepRow, 'startMs' | 'title'>[],
  blocks: readonly Pick<ScreenBlock, 'startMs' | 'text'>[],
): Passage[] {
  const inTime = steps.toSorted((a, b) => a.startMs - b.startMs)
  const stepAt = openSteps(inTime)
  const texts = new Set<string>()
  const passages: Passage[] = []
  let chars = 0
  let [index, passageChars] = [-1, 0]
  for (const { startMs, text } of blocks) {
    if (texts.has(text)) continue
    texts.add(text)
    chars += text.length
    if (chars > SHOWN_CHARS_MAX) break
    const at = stepAt(startMs)
    if (at !== index || passageChars + text.length > SAID_CHARS_MAX) {
      passages.push({ startMs, step: inTime[at]?.title ?? null, lines: [], said: [] })
      ;[index, passageChars] = [at, 0]
    }
    passages.at(-1)?.said.push([startMs, text, true])
    passageChars += text.length
  }
  return passages
}

/** A line of the transcript, and who says it. */
type SaidSegment = Pick<Segment, 'startMs' | 'text' | 'speaker'>

/** Adds spoken lines to a step's passage, and begins another passage where they are too many. */
function cutSaid(first: Passage, segments: readonly SaidSegment[]): Passage[] {
  const passages = [first]
  let [last, chars] = [first, 0]
  for (const { startMs, text: words, speaker } of segments) {
    // People look for who said something as well.
    const text = speaker === undefined ? words : `${speaker}: ${words}`
    if (chars > 0 && chars + text.length > SAID_CHARS_MAX) {
      last = { startMs, step: first.step, lines: [], said: [] }
      passages.push(last)
      chars = 0
    }
    last.said.push([startMs, text])
    chars += text.length
  }
  return passages
}

function addWords(codes: readonly string[], passage: Passage): IndexedPassage {
  return {
    ...passage,
    words: {
      step: writeIndexed(codes, [passage.step ?? '', ...passage.lines].join(' ')),
      said: writeIndexed(codes, passage.said.map(([, text]) => text).join(' ')),
    },
  }
}
