import type { Module } from '#contract/module.ts'

/** A module that is ready, as the list call answers it. */
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
