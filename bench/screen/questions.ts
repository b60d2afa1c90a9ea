import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnswerMeta } from '#contract/tutor.ts'
import { ACCEPTANCE } from '#local/speech/acceptance.ts'
import { composeSteps } from '#worker/domain/step/compose-steps.ts'
import { writeExtractiveSteps } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { tidySection } from '#worker/domain/step/tidy-section.ts'
import { parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { makeScreen } from '#worker/domain/tutor/answer-screen.ts'
import { openIndex, type TutorIndex } from '#worker/domain/tutor/open-index.ts'
import { planAnswer, presentMeta } from '#worker/domain/tutor/plan-answer.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { readScreen } from '../../screen/read-screen.ts'
import { gate, logProgress, type Report, type Row, row } from '../scenario.ts'
import { openWindows } from '../steps/predict-steps.ts'
import { openAnsweredTutor } from './answered-tutor.ts'
import type { openEngines } from './engine.ts'
import { decodeFrames } from './frames.ts'
import { judgeAnswer, type ShownAnswer, type Verdict } from './judge-answer.ts'
import { rememberLines } from './remember-lines.ts'
import { LENGTH_S, makeScreencast, NARRATION, type ScreencastName, SIZE } from './screencasts.ts'

type VideoName = 'linux' | ScreencastName

interface Asked {
  video: VideoName
  question: string
}

interface Written {
  shown: (Asked & ShownAnswer)[]
  notShown: Asked[]
}

interface Video {
  path: string
  size: { width: number; height: number }
  title: string
  durationS: number
  segments: SaidSegment[]
}

const GOALS = { right: { atLeast: 80 }, wrong: { atMost: 1 }, refused: { atLeast: 9 } }
/** As the reader in browsers samples. */
const PER_SECOND = 2
const TITLES = { terminal: 'Set the clock from the network', settings: 'Connect the mail program' }

/** The screencast of the acceptance media; null where that is missing. */
function findLinux(): Video | null {
  const folder = join(ACCEPTANCE, 'linux-basic-commands')
  const path = join(folder, 'linux-basic-commands.webm')
  if (!existsSync(path)) return null
  const { cues } = parseCaptions(readFileSync(join(folder, 'captions.vtt'), 'utf8'))
  const segments = cues.map(({ startMs, endMs, text }, index) => ({ id: `s${index}`, startMs, endMs, text }))
  return { path, size: { width: 944, height: 784 }, title: 'Basic commands in Linux', durationS: 726, segments }
}

function openScripted(cache: string, name: ScreencastName): Video {
  const script = readFileSync(new URL('./screencasts.ts', import.meta.url))
  const folder = join(cache, `screencasts-${createHash('sha256').update(script).digest('hex').slice(0, 12)}`)
  mkdirSync(folder, { recursive: true })
  const made = join(folder, `${name}.mp4`)
  const path = existsSync(made) ? made : makeScreencast(name, folder)
  const said = NARRATION[name]
  const segments = said.map(({ fromS, text }, index) => {
    return { id: `s${index}`, startMs: fromS * 1_000, endMs: (said[index + 1]?.fromS ?? LENGTH_S) * 1_000, text }
  })
  return { path, size: SIZE, title: TITLES[name], durationS: LENGTH_S, segments }
}

/** What the tutor knows of a video whose screen was read: its captions, the steps made of them, and the screen. */
async function readVideo(video: Video, readLine: Parameters<typeof readScreen>[1]['readLine']): Promise<TutorIndex> {
  const { path, size, title, durationS, segments } = video
  const { blocks } = await readScreen(decodeFrames(path, size, PER_SECOND), { readLine })
  const sections = openWindows({ title, durationS }, segments, 'captions').map((window) => {
    return { steps: tidySection({ drafts: writeExtractiveSteps(window), ...window }), isDraft: false }
  })
  const steps = composeSteps({ run: 1, durationMs: durationS * 1_000, sections, isComplete: true })
  return openIndex({
    title,
    language: 'en',
    segments,
    steps: steps.map((step) => ({ ...step, aliases: [], start: step.startMs / 1_000, end: step.endMs / 1_000 })),
    screen: makeScreen(blocks.toSorted((left, right) => left.startMs - right.startMs)),
  })
}

interface Judged extends Asked {
  verdict: Verdict
  answer: string | null
  text: string
}

type Answer = Pick<AnswerMeta, 'isCovered' | 'citations'> & { text: string }
type Ask = (index: TutorIndex, question: string) => Promise<Answer>

/** As the tutor answers without a model. */
const quote: Ask = async (index, question) => {
  const { whole } = planAnswer(index, { question, timeMs: null, stepId: null })
  return { ...whole, citations: presentMeta('', whole).citations }
}

const isVerdict = (wanted: Verdict) => (judged: Judged) => judged.verdict === wanted

/** Asks what two screencasts and a real one show, and what none of them does. Null where the real one is missing. */
export async function measureQuestions(cache: string, engines: ReturnType<typeof openEngines>): Promise<Report | null> {
  const linux = findLinux()
  if (linux === null) {
    console.error(`No screencast in ${ACCEPTANCE}; set ADAPT_ACCEPTANCE_DIR. Nothing measured.`)
    return null
  }
  const { shown, notShown } = JSON.parse(readFileSync(new URL('./questions.json', import.meta.url), 'utf8')) as Written
  mkdirSync(cache, { recursive: true })
  const lines = rememberLines(join(cache, 'lines.json'), engines.readerOf('en'))
  const indexes = new Map<VideoName, TutorIndex>()
  const videos = { linux, terminal: openScripted(cache, 'terminal'), settings: openScripted(cache, 'settings') }
  for (const [name, video] of Object.entries(videos)) {
    indexes.set(name as VideoName, await readVideo(video, lines.readLine))
    lines.save()
    logProgress(`${name}: ${indexes.get(name as VideoName)?.screen?.lines.length ?? 0} lines`)
  }
  const judgeAll = async (ask: Ask) => {
    const judge = async (each: Asked, seen: ShownAnswer | null): Promise<Judged> => {
      const { text, ...answered } = await ask(indexes.get(each.video) as TutorIndex, each.question)
      const verdict = judgeAnswer(answered, seen)
      return { video: each.video, question: each.question, verdict, answer: seen?.answer ?? null, text }
    }
    const answers = await Promise.all(shown.map((each) => judge(each, each)))
    return { answers, others: await Promise.all(notShown.map((each) => judge(each, null))) }
  }
  const tutor = openAnsweredTutor(new URL('./model-replies.json', import.meta.url))
  const [quoted, answered] = [await judgeAll(quote), await judgeAll(tutor.ask)]
  return {
    json: {
      withoutModel: quoted,
      withModel: answered,
      screens: Object.fromEntries([...indexes].map(([name, { screen }]) => [name, screen?.lines])),
    },
    table: [
      'Without a model:',
      ...listVerdicts(quoted),
      `With a model, ${tutor.answeredBy}:`,
      ...listVerdicts(answered),
      gate('prompts without a reply', tutor.missing.length, { atMost: 0 }, tutor.missing.join(', ') || 'none'),
    ],
  }
}

function listVerdicts({
  answers,
  others,
}: {
  answers: readonly Judged[]
  others: readonly Judged[]
}): (Row | string)[] {
  const right = answers.filter(isVerdict('right')).length
  const rightOf = `${right} of ${answers.length}`
  return [
    ...[...answers, ...others].map(({ video, verdict, question, answer, text }) => {
      return `${verdict.padEnd(7)} ${video}: ${question}${answer === null ? '' : ` [${answer}]`} ${JSON.stringify(text)}`
    }),
    gate('questions about the screen answered right', (100 * right) / answers.length, GOALS.right, rightOf),
    gate('… answered wrong', answers.filter(isVerdict('wrong')).length, GOALS.wrong, String),
    row('… refused', String(answers.filter(isVerdict('refused')).length)),
    gate('refused of 10 that nothing answers', others.filter(isVerdict('refused')).length, GOALS.refused, String),
  ]
}
