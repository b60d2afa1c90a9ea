// One run of Vitest in workerd for many changes: a second run would start workerd anew, which takes longer than most
// tests. Each pair of a test and a change is a file of its own for Vitest, which evaluates all sources again for it.
// judge-in-workerd.ts starts it and ends it.
import { join } from 'node:path'
import { createVitest, type TestModule } from 'vitest/node'
import { signalGroup } from '#local/start/processes.ts'
import type { Place } from './add-probes.ts'
import type { Batch, PairMessage } from './judge-in-workerd.ts'
import type { Mutant } from './list-mutants.ts'
import { isApplied, noteApplied, RUN_VARIABLE } from './run-tests.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The numbers of the probes that ran. */
    reached?: number[]
  }
}

const ROOT = join(import.meta.dirname, '../..')
const send = (message: PairMessage) => process.send?.(message)

async function run({ pairs, mutants }: Batch): Promise<void> {
  const names = pairs.map(({ test, change, until }) => `${test}?change=${change ?? 'none'}&until=${until}`)
  const pairOf = ({ moduleId }: TestModule) => names.findIndex((name) => moduleId.endsWith(`/${name}`))
  const places: Place[] = mutants.map(({ file, start, end }) => ({ file, start, end }))
  const runOf = (mutant: Mutant | null) =>
    JSON.stringify({ project: 'worker', tests: [], mutant, probes: pairs[0]?.change === null ? places : [] })
  process.env[RUN_VARIABLE] = runOf(null)

  let current: Mutant | null = null
  let lastEndMs = performance.now()
  const vitest = await createVitest({
    config: join(import.meta.dirname, 'vitest.config.ts'),
    watch: false,
    reporters: [
      {
        // Before any source is asked for.
        onTestModuleQueued(module) {
          const mutant = mutants[pairs[pairOf(module)]?.change ?? -1] ?? null
          for (const each of [current, mutant]) if (each !== null) vitest.invalidateFile(join(ROOT, each.file))
          current = mutant
          noteApplied(false)
          process.env[RUN_VARIABLE] = runOf(mutant)
        },
        onTestModuleEnd(module) {
          const tookMs = performance.now() - lastEndMs
          lastEndMs += tookMs
          const reached = Array.from(module.children.allTests(), (test) => test.meta().reached ?? [])
          send({ pair: pairOf(module), ok: module.ok(), tookMs, reached, isApplied: isApplied() })
        },
      },
    ],
  })
  const [project] = vitest.projects
  if (project === undefined) throw new Error('no project')
  await vitest.runTestSpecifications(names.map((name) => project.createSpecification(join(ROOT, name))))
}

process.on('disconnect', () => signalGroup(process.pid, 'SIGKILL'))
process.chdir(ROOT)
process.once('message', async (batch: Batch) => {
  await run(batch)
  process.disconnect()
})
