import type { QuestionsAnswer } from '../feedback/questions.ts'
import type { LearningMetricsAnswer } from '../learning.ts'
import type { Module } from '../module.ts'
import type { ScreenBlock, ScreenReading } from '../screen.ts'
import { SharedFields, type SharedModule } from '../share.ts'
import { BLANK_STEP, SharedStep, type Step } from '../step.ts'
import { type VersionContent, VersionFields } from '../version.ts'

/** A module that is ready, as the list call answers it to its owner. */
export function makeModule(change: Partial<Module> = {}): Module {
  const id = change.id ?? 'm1'
  return {
    id,
    title: 'Set up a new project',
    createdAt: '2026-11-21T09:00:00.000Z',
    status: 'READY',
    progress: 100,
    message: 'Ready',
    lastError: null,
    failureCode: null,
    newVersion: null,
    totalDuration: 372,
    hasVideo: true,
    uploadPercent: 100,
    videoCodec: 'avc1.64001f',
    posterUrl: null,
    userId: 'user_1',
    role: 'owner',
    mayDelete: true,
    organization: null,
    shared: true,
    linkEndsAt: null,
    hasLinkPassword: false,
    linkAnswersPerDay: null,
    takesReports: false,
    publishedVersion: null,
    replaces: null,
    trainingUrl: `/training/${id}`,
    shareUrl: `/share/${id}`,
    transcriptSource: 'speech',
    stepsVersion: 1,
    ...change,
  }
}

/** A legal step of ten seconds named after its id, as its owner sees it. */
export function makeStep(id: string, start: number, change: Partial<Step> = {}): Step {
  const end = change.end ?? start + 10
  const texts = {
    title: `Title ${id}`,
    description: `What to do in step ${id}.`,
    originalText: `What is said in ${id}.`,
  }
  return { ...BLANK_STEP, id, ...texts, start, end, duration: end - start, ...change }
}

/** A step as anyone with the link sees it. */
export function makeSharedStep(step: Step): SharedStep {
  return SharedStep.parse({ ...step, timestamp: step.start })
}

/** Joins the ids of steps, so that their order can be seen at a glance. */
export function idsOf(steps: readonly Step[]): string {
  return steps.map((step) => step.id).join('')
}

/** A version of these steps in one language, without an image. */
export function makeVersionContent(steps: readonly Step[], change: Partial<VersionContent> = {}): VersionContent {
  return {
    format: 'adapt-version-1',
    module: VersionFields.parse(makeModule()),
    language: 'en',
    original: 'en',
    steps: [...steps],
    notes: [],
    cuts: [],
    screen: null,
    video: { etag: 'e1', sizeBytes: 1_000 },
    captions: null,
    translations: {},
    images: {},
    ...change,
  }
}

/** A module without steps, as anyone with the link sees it. */
export function makeSharedModule(change: Partial<SharedModule> = {}): SharedModule {
  return {
    ...SharedFields.parse(makeModule()),
    captionsUrl: null,
    steps: [],
    language: null,
    original: null,
    languages: [],
    translation: null,
    audioTracks: [],
    hasTutor: false,
    cuts: [],
    smallCopy: null,
    ...change,
  }
}

/** A module without learners. */
export const NO_LEARNERS: LearningMetricsAnswer = {
  success: true,
  learners: 0,
  completed: 0,
  selfReported: 0,
  meanPercent: null,
  completionPercent: 90,
  curve: { pieceSeconds: 1, learners: [] },
  steps: [],
  isCounting: false,
}

/** A module without questions to the tutor. */
export const NO_QUESTIONS: QuestionsAnswer = {
  success: true,
  places: [],
  open: 0,
  grouped: 0,
  hiddenGroups: 0,
  answers: [],
}

/** A line that a screen shows for two seconds: a command unless said otherwise. */
export function makeBlock(text: string, startMs: number, change: Partial<ScreenBlock> = {}): ScreenBlock {
  const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.02 }
  return { text, startMs, endMs: startMs + 2_000, box, kind: 'command', confidence: 0.9, ...change }
}

/** A screen that was read to its end. */
export function makeReading(blocks: ScreenBlock[], change: Partial<ScreenReading> = {}): ScreenReading {
  return { readMs: 60_000, isDone: true, secrets: [], blocks, ...change }
}
