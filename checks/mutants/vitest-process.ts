// One process of Vitest for many runs: it transforms sources once, and again only what a change is in. Every run
// evaluates them anew. run-tests.ts starts it, tells it what to run and ends it.
import { join, relative } from 'node:path'
import { createVitest, type TestModule } from 'vitest/node'
import { signalGroup } from '#local/start/processes.ts'
import { RUN_VARIABLE, type RunInput, type RunMessage, type RunOutcome } from './run-tests.ts'

const ROOT = join(import.meta.dirname, '../..')
const nameOf = ({ moduleId }: TestModule) => relative(ROOT, moduleId)
const send = (message: RunMessage) => process.send?.(message)

const ended: TestModule[] = []
let lastEndMs = 0
let changed: string[] = []

function onTestModuleEnd(module: TestModule) {
  ended.push(module)
  const tookMs = performance.now() - lastEndMs
  lastEndMs += tookMs
  if (module.ok()) send({ kind: 'file', test: nameOf(module), tookMs })
}

async function run({ tests, mutant }: RunInput): Promise<RunOutcome> {
  const vitest = await started
  const file = mutant === null ? [] : [join(ROOT, mutant.file)]
  for (const each of [...changed, ...file]) vitest.invalidateFile(each)
  changed = file
  ended.length = 0
  lastEndMs = performance.now()
  const specifications = tests.flatMap((test) =>
    vitest.projects.map((each) => each.createSpecification(join(ROOT, test))),
  )
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const failed = ended.find((module) => !module.ok())
  if (failed !== undefined) return { kind: 'failed', by: nameOf(failed) }
  const isWhole = unhandledErrors.length === 0 && new Set(ended.map(nameOf)).size === tests.length
  return { kind: isWhole ? 'passed' : 'broken' }
}

process.on('message', async (input: RunInput) => {
  process.env[RUN_VARIABLE] = JSON.stringify(input)
  send(await run(input))
})
process.on('disconnect', () => signalGroup(process.pid, 'SIGKILL'))
process.chdir(ROOT)
const config = join(import.meta.dirname, 'vitest.config.ts')
const started = createVitest({ config, watch: false, reporters: [{ onTestModuleEnd }] })
