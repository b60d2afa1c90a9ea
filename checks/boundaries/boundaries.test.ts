import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findFaults } from './boundaries.ts'
import { readImports } from './read-imports.ts'
import { PLACES } from './table.ts'

/** The faults of files with these texts, without those of the table's lines that hold no file here. */
function faultsOf(texts: Record<string, string>): string[] {
  const imports = Object.entries(texts).map(([file, text]) => [file, readImports(file, text)] as const)
  return findFaults(new Map(imports)).filter((fault) => !fault.endsWith('is no more'))
}

describe('findFaults', () => {
  it.each([
    ['web/features/step/a.ts', "import { a } from '#worker/db/db.ts'"],
    ['web/features/step/a.ts', "import { a } from '#web/app/router.tsx'"],
    ['web/features/step/a.ts', "import { a } from '#web/features/share/x.ts'"],
    ['web/features/step/a.ts', "import type { A } from '#web/features/share/x.ts'"],
    ['web/features/step/a.ts', "const a = () => import('#web/features/share/x.ts')"],
    ['web/features/step/a.ts', "export { a } from '../share/x.ts'"],
    ['web/features/upload/file-worker/a.ts', "import { a } from '../../step/a.ts'"],
    ['web/lib/a.ts', "import { a } from '#web/ui/a.tsx'"],
    ['contract/a.ts', "import { a } from '#worker/db/db.ts'"],
    ['contract/a.ts', "import { a } from '#media/audio-chunk.ts'"],
    ['contract/a.ts', "import { Hono } from 'hono'"],
    ['media/a.ts', "import { a } from '#worker/core/errors.ts'"],
    ['media/a.ts', "import { readFile } from 'node:fs/promises'"],
    ['worker/domain/module/a.ts', "import { a } from '#worker/domain/run/run-store.ts'"],
    ['worker/domain/run/a.ts', "import type { A } from '#worker/domain/lifecycle/erase-module.ts'"],
    ['worker/domain/run/a.ts', "import { a } from '#worker/pipeline/recover.ts'"],
    ['worker/tasks/a.ts', "import type { A } from '#worker/domain/run/fence.ts'"],
    ['worker/domain/step/a.ts', "import { Hono } from 'hono'"],
    ['worker/domain/step/a.ts', "import { DurableObject } from 'cloudflare:workers'"],
    ['worker/domain/step/a.ts', "import { a } from '#worker/routes/steps.ts'"],
    ['worker/domain/tutor/prompts/a.ts', "import type { A } from '../plan-answer.ts'"],
    ['worker/routes/a.ts', "import { a } from '#worker/adapters/cloud-services.ts'"],
    ['worker/create-worker.ts', "import { a } from './adapters/cloud-services.ts'"],
    ['worker/adapters/x/a.ts', "import { a } from '#worker/domain/step/step-store.ts'"],
    ['worker/jobs/a.ts', "import { a } from '#local/worker.ts'"],
    ['worker/jobs/a.ts', "import { cutAudioSlice } from '#media/cut-audio.ts'"],
    ['local/clerk/a.ts', "import { a } from '#worker/domain/run/run-store.ts'"],
    ['local/clerk/a.ts', "import { a } from '#media/audio-chunk.ts'"],
  ])('refuses in %s: %s', (file, text) => {
    expect(faultsOf({ [file]: text })).toEqual([expect.stringMatching(`^${file} imports .*, which .* may not$`)])
  })

  it.each([
    ['web/features/step/a.tsx', "import { a } from '#web/lib/a.ts'\nexport const A = () => <p>{a}</p>"],
    ['web/features/step/a.ts', "import './a.css'\nimport { b } from './more/b.ts'"],
    ['web/app/a.ts', "import { a } from '#web/features/share/x.ts'"],
    ['worker/index.ts', "import { a } from '#worker/adapters/cloud-services.ts'"],
    ['worker/domain/run/a.ts', "import { a } from '#worker/domain/step/extractive/sentences.ts'"],
    ['worker/domain/media/read-source.ts', "import { cutAudioSlice } from '#media/cut-audio.ts'"],
    ['worker/jobs/a.ts', "import { type CutFault, KNOWN } from '#media/cut-audio.ts'"],
    ['worker/routes/a.ts', "import { Hono } from 'hono'\nimport { a } from '#messages'"],
  ])('allows in %s: %s', (file, text) => {
    expect(faultsOf({ [file]: text })).toEqual([])
  })

  it('refuses files in a circle, also of types alone and outside of the product', () => {
    const [a, b] = ["import type { B } from './b.ts'", "const a = () => import('./a.ts')"]
    const inProduct = faultsOf({ 'worker/domain/step/a.ts': a, 'worker/domain/step/b.ts': b })
    expect(inProduct).toEqual([expect.stringContaining('files in a circle')])
    expect(faultsOf({ 'bench/a.ts': a, 'bench/b.ts': b })).toEqual([expect.stringContaining('files in a circle')])
  })

  it('refuses folders in a circle, without a circle of files', () => {
    const faults = faultsOf({
      'web/features/step/a.ts': "import { b } from './more/b.ts'",
      'web/features/step/more/b.ts': '',
      'web/features/step/more/c.ts': "import { d } from '../d.ts'",
      'web/features/step/d.ts': '',
    })
    expect(faults).toEqual(['folders in a circle: web/features/step, web/features/step/more'])
  })

  it('refuses a line of the table that holds no file', () => {
    const faults = findFaults(new Map([['media/a.ts', []]]))
    expect(faults).toContain('contract of checks/boundaries/table.ts is no more')
    expect(faults).not.toContain('media of checks/boundaries/table.ts is no more')
  })

  it('knows the place of every noun', () => {
    const nouns = globSync('worker/domain/*/').map((folder) => folder.replace(/\/$/, ''))
    expect(nouns.filter((noun) => !PLACES.some(({ path }) => path === noun))).toEqual([])
  })
})
