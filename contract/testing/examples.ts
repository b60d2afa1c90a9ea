import type { LearningMetricsAnswer } from '../learning.ts'
import type { Module } from '../module.ts'
import type { QuestionsAnswer } from '../questions.ts'

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
    totalDuration: 372,
    hasVideo: true,
    uploadPercent: 100,
    posterUrl: null,
    userId: 'user_1',
    role: 'owner',
    mayDelete: true,
    shared: true,
    trainingUrl: `/training/${id}`,
    shareUrl: `/share/${id}`,
    transcriptSource: 'speech',
    stepsVersion: 1,
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
export const NO_QUESTIONS: QuestionsAnswer = { success: true, places: [], open: 0, grouped: 0, hiddenGroups: 0 }
