import { afterEach, beforeEach, expect, vi } from 'vitest'

/** The changes that a test has noticed, which no other test has to judge. The runtime outlives its files. */
const noticed: Set<string> = ((globalThis as { noticedChanges?: Set<string> }).noticedChanges ??= new Set())
const change = /\?change=(\d+)$/.exec(expect.getState().testPath ?? '')?.[1]

if (change !== undefined) {
  if (noticed.has(change)) throw new Error('another test has noticed this change')
  // Sources are evaluated with the change of now, also what they evaluate once.
  vi.resetModules()
  beforeEach(({ skip }) => skip(noticed.has(change), 'the change is noticed'))
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') noticed.add(change)
  })
}
