import { afterEach, beforeEach, expect, vi } from 'vitest'

/** The runtime outlives its files. */
const scope = globalThis as unknown as {
  noticedChanges?: Set<string>
  reachedChanges?: Set<number>
  __vitest_worker__: { evaluatedModules: { idToModuleMap: Map<string, { meta?: unknown }> } }
}
/** The changes that a test has noticed, which no other test has to judge. */
const noticed = (scope.noticedChanges ??= new Set())
const { change, until } =
  /\?change=(?<change>\d+|none)&until=(?<until>\d+)$/.exec(expect.getState().testPath ?? '')?.groups ?? {}

if (change === 'none') {
  // With what runs before the first test.
  const reached = (scope.reachedChanges = new Set())
  afterEach(({ task }) => {
    task.meta.reached = [...reached]
    reached.clear()
  })
} else if (change !== undefined) {
  if (noticed.has(change)) throw new Error('another test has noticed this change')
  // Sources are evaluated with the change of now, also what they evaluate once. Vitest keeps their code for as long as
  // the runtime lives.
  vi.resetModules()
  const { evaluatedModules } = scope.__vitest_worker__
  for (const [id, node] of evaluatedModules.idToModuleMap) if (!id.includes('/node_modules/')) delete node.meta
  let count = 0
  beforeEach(({ skip }) => {
    skip(noticed.has(change), 'the change is noticed')
    skip(count++ > Number(until), 'no test from here on reaches the change')
  })
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') noticed.add(change)
  })
}
