import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureTools } from '#local/start/tools.ts'
import { startTranslationServer, type TranslationServer } from './translation-server.ts'

let server: TranslationServer
const failures: unknown[] = []

/** Where it has to be installed first. */
const INSTALL_MS = 240_000

beforeAll(async () => {
  await ensureTools(['apertium'])
  server = await startTranslationServer({ port: 0, onFailure: (error) => failures.push(error) })
}, INSTALL_MS)

afterAll(() => server.close())

async function post(body: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${server.baseUrl}/translate`, { method: 'POST', body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

describe('the translation server', () => {
  it('says between which languages it translates', async () => {
    const answer = await fetch(`${server.baseUrl}/languages`)
    expect(await answer.json()).toMatchObject([{ code: 'en', targets: ['en', 'es'] }, { code: 'es' }])
  })

  it('refuses a pair that is not there, and what is no request', async () => {
    expect(await post({ q: ['Hallo'], source: 'de', target: 'es' })).toMatchObject({ status: 400 })
    expect(await post({ q: 5 })).toMatchObject({ status: 400 })
    expect((await fetch(`${server.baseUrl}/elsewhere`)).status).toBe(404)
    expect(failures).toEqual([])
  })

  it('installs apertium with the first translation, which waits for it, and not before', async () => {
    const { promise: installed, resolve } = Promise.withResolvers<boolean>()
    let installations = 0
    const ensureApertium = () => {
      installations += 1
      return installed
    }
    const fresh = await startTranslationServer({ port: 0, onFailure: (error) => failures.push(error), ensureApertium })
    const ask = () =>
      fetch(`${fresh.baseUrl}/translate`, {
        method: 'POST',
        body: JSON.stringify({ q: ['Click Save'], source: 'en', target: 'es' }),
      })
    expect((await fetch(`${fresh.baseUrl}/languages`)).status).toBe(200)
    expect(installations).toBe(0)
    expect((await ask()).status).toBe(503)
    resolve(true)
    expect((await ask()).status).toBe(200)
    expect([installations, failures]).toEqual([1, []])
    await fresh.close()
  })

  it('translates each text by itself, with its lines, numbers and units', async () => {
    const q = ['Press the latch on the right side', 'Do not touch the 12 V cable.\n\nWait', 'Click Save']
    const { status, body } = await post({ q, source: 'en', target: 'es' })
    expect(status).toBe(200)
    const { translatedText } = body as { translatedText: string[] }
    expect(translatedText).toHaveLength(3)
    expect(translatedText[0]).toMatch(/lado derecho/)
    expect(translatedText[1]).toMatch(/^no .*12 V.*\n\nEspera/i)
    expect(translatedText[2]).toBe('El clic Salva')
  })
})
