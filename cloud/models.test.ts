import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { environmentOf } from './environment.ts'
import { readBaseConfig } from './make-config.ts'
import { listModels, modelsOf } from './models.ts'
import { EMPTY_SETTINGS } from './settings.ts'
import { openShell } from './shell.ts'
import { openFakeShell } from './testing/fake-shell.ts'

/** wrangler starts within seconds, more where the processors are busy. */
const WRANGLER_TIMEOUT_MS = 60_000

describe('the models that are configured', () => {
  it('the models that are configured are those of wrangler.toml, and what settings say instead', () => {
    const vars = { WORKERS_AI_SPEECH_MODEL: '@cf/a/ear', WORKERS_AI_SECOND_MODEL: '' }
    expect(modelsOf(readBaseConfig(), { ...EMPTY_SETTINGS, vars })).toEqual({
      speech: ['@cf/a/ear'],
      language: ['@cf/meta/llama-3.3-70b-instruct-fp8-fast'],
    })
  })

  it('the models that are configured are none where servers of one’s own do their work', () => {
    const vars = { SPEECH_BASE_URL: 'https://a.b', LANGUAGE_BASE_URL: 'https://a.b' }
    expect(modelsOf(readBaseConfig(), { ...EMPTY_SETTINGS, vars })).toEqual({ speech: [], language: [] })
  })
})

describe('the catalogue of models', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it(
    'is read by wrangler, from where and as Cloudflare gives it',
    async () => {
      const asked: (string | null)[] = []
      const properties = [
        { property_id: 'planned_deprecation_date', value: '2027-02-01' },
        { property_id: 'price', value: [{ unit: 'per M input tokens', price: 0.293, currency: 'USD' }] },
        { property_id: 'function_calling', value: 'true' },
      ]
      const result = [
        { id: '1', name: '@cf/meta/llama', description: 'd', task: { name: 'Text Generation' }, properties },
        { id: '2', name: '@cf/openai/whisper', description: 'd', task: { name: 'ASR' }, properties: [] },
      ]
      const { origin, close } = await serveOnFreePort(({ url, headers }) => {
        asked.push(new URL(url).pathname, headers.get('authorization'))
        return Response.json({ success: true, errors: [], messages: [], result: url.includes('page=2') ? [] : result })
      })
      onTestFinished(close)
      const dir = mkdtempSync(join(tmpdir(), 'adapt-models-'))
      const configPath = join(dir, 'wrangler.json')
      writeFileSync(configPath, JSON.stringify({ name: 'adapt', account_id: 'a'.repeat(32) }))
      vi.stubEnv('CLOUDFLARE_API_BASE_URL', `${origin}/client/v4`)
      vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token_1')
      const shell = openShell({ say: () => {} })
      const listed = await listModels({ ...environmentOf(null), configPath }, shell).finally(() =>
        rmSync(dir, { recursive: true }),
      )
      expect(listed).toEqual([
        {
          name: '@cf/meta/llama',
          retiredOn: '2027-02-01',
          prices: [{ unit: 'per M input tokens', price: 0.293 }],
        },
        { name: '@cf/openai/whisper', retiredOn: null, prices: [] },
      ])
      expect(asked[0]).toMatch(/^\/client\/v4\/accounts\/a{32}\/ai\/models\/search/)
      expect(asked[1]).toBe('Bearer token_1')
    },
    WRANGLER_TIMEOUT_MS,
  )

  const answering = (answer: string | Error) => openFakeShell({ 'npx wrangler ai models list --json': answer })

  it('is not known without credentials, and an error where it cannot be read otherwise', async () => {
    const environment = environmentOf(null)
    const signedOut = "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN"
    expect(await listModels(environment, answering(new Error(signedOut)))).toBeNull()
    await expect(listModels(environment, answering(new Error('A request failed: 500')))).rejects.toThrow('500')
    await expect(listModels(environment, answering('No models found.'))).rejects.toThrow('something else than a list')
  })
})
