import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import ordinary from '../../vitest.config.ts'
import { addProbes } from './add-probes.ts'
import { applyMutant } from './list-mutants.ts'
import { noteApplied, readRunInput } from './run-tests.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { project } = readRunInput()

/** A change may let a test wait for what never comes; the usual times are for busy machines. */
const SHORT = { testTimeout: 20_000, hookTimeout: 20_000, expect: { poll: { timeout: 8_000 } } }

function mutantOf(id: string) {
  const { mutant } = readRunInput()
  return mutant !== null && id.split('?')[0] === join(ROOT, mutant.file) ? mutant : null
}

/** Changes a source where it is loaded, so that no file is written, or lets it note what of it runs. */
const plugin: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  transform(code, id) {
    const mutant = mutantOf(id)
    if (mutant !== null) {
      noteApplied(true)
      return { code: applyMutant(code, mutant), map: null }
    }
    const file = relative(ROOT, id.split('?')[0] ?? id)
    const { probes = [] } = readRunInput()
    return probes.some((place) => place.file === file) ? { code: addProbes(file, code, probes), map: null } : null
  },
  // Vitest keeps modules by what is in their files; the next run would get the changed one.
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (project === 'worker' || mutantOf(id) !== null ? false : null)),
}

/** The nearest tests first: the first that fails ends the run. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const ranks = new Map(readRunInput().tests.map((test, rank) => [join(ROOT, test), rank]))
    const rankOf = ({ moduleId }: TestSpecification) => ranks.get(moduleId) ?? 0
    return files.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

/** Does nothing where a test file has no change in its name. */
const PAIR_SETUP = './checks/mutants/setup-pair.ts'
const projects = (ordinary.test?.projects ?? []) as TestProjectInlineConfiguration[]

/** Tests without bindings need no workerd, which takes seconds to start. */
const plain: TestProjectInlineConfiguration = {
  plugins: [plugin],
  test: {
    name: 'plain',
    environment: 'node',
    // Modules are evaluated once, which is half of the time; a test that minds does not pass, and judges nothing.
    isolate: false,
    provide: { testSeed: 1 },
    ...SHORT,
    setupFiles: ['./local/testing/seed.ts', './local/testing/deadline.ts'],
  },
}

export default defineConfig({
  root: ROOT,
  test: {
    tags: ordinary.test?.tags ?? [],
    // In workerd the other changes are judged in the same run; see setup-pair.ts.
    bail: project === 'worker' ? 0 : 1,
    sequence: { sequencer: NearestFirst },
    projects:
      project === 'plain'
        ? [plain]
        : projects
            .filter(({ test }) => test?.name === project)
            .map((each) => ({
              ...each,
              plugins: [plugin, ...(each.plugins ?? [])],
              test: { ...each.test, ...SHORT, setupFiles: [PAIR_SETUP, each.test?.setupFiles ?? []].flat() },
            })),
  },
})
