// Behaviour: a shared training in the language of its learner.
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { LanguageTag } from '#contract/languages.ts'
import { Done } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import type { SharePageData } from '#contract/share-page.ts'
import { StepsAnswer } from '#contract/step.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import * as m from '#messages/pages'
import { readZip } from '#records/read-zip.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'

holdTasks()

const EDGE = exports as unknown as { SharePage: { purge(tags: string[]): Promise<void> } }

const STEPS = [
  { id: 'a', title: 'Open the lid', description: 'Turn the screw 12 times.', start: 0, end: 10, chapter: 'The lid' },
  { id: 'b', title: 'Check the cable', description: '', start: 10, end: 20, chapter: 'The lid' },
]
const SPANISH: Record<string, string[]> = {
  title: ['Cambiar el filtro'],
  chapters: ['La tapa'],
  'step:a': ['Abrir la tapa', 'Gire el tornillo 12 veces.'],
  'captions:c-00000': ['abra la tapa', 'y gire el tornillo'],
}

/** A shared training in English, of which all but one step is in Spanish as well. */
async function seedTranslated(languages: LanguageTag[] = ['es'], texts = SPANISH) {
  const as = `user_${crypto.randomUUID()}`
  const { id } = await seedModule({
    userId: as,
    status: 'READY',
    runStatus: 'READY',
    durationMs: 60_000,
    language: 'en-US',
    languages,
  })
  await answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps: STEPS } })
  const line = { endMs: 4_000, confidence: null }
  await seedCaptions(id, [
    { ...line, startMs: 0, text: 'open the lid' },
    { ...line, startMs: 4_000, endMs: 8_000, text: 'and turn the screw' },
  ])
  const edit = (item: string, written: string[], language: LanguageTag) =>
    answerOf(Done, `/api/modules/${id}/translations/${language}`, { as, method: 'PUT', json: { item, texts: written } })
  for (const language of languages)
    for (const [item, written] of Object.entries(texts)) await edit(item, written, language)
  return { id, as, edit }
}

const page = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await call(path, { headers })
  return { answer, html: await answer.text() }
}
const readData = (html: string): SharePageData => JSON.parse(/id="share-data">(.*?)<\/script>/.exec(html)?.[1] ?? '{}')
/** Without the address of the files of its build. */
const firstTag = (html: string) => /<html[^>]*>/.exec(html)?.[0].replace(/ data-files="[^"]*"/, '')

describe('a training in the language of its learner', () => {
  it('is in the language that the address asks for, and in the original where a part is not translated', async () => {
    const { id } = await seedTranslated()
    const { module } = await answerOf(ShareAnswer, `/api/share/${id}?lang=es`)
    expect(module).toMatchObject({
      title: 'Cambiar el filtro',
      language: 'es',
      original: 'en',
      languages: ['es'],
      translation: { language: 'es', isApproved: true, engine: null, isRough: false, missing: 1 },
      captionsUrl: `/share/${id}/captions.vtt?lang=es`,
    })
    expect(module.steps).toMatchObject([
      { title: 'Abrir la tapa', description: 'Gire el tornillo 12 veces.', chapter: 'La tapa' },
      { title: 'Check the cable', chapter: 'La tapa', language: 'en' },
    ])
    const original = await answerOf(ShareAnswer, `/api/share/${id}?lang=en`)
    expect(original.module).toMatchObject({ title: 'Change the filter', translation: null, language: 'en-US' })
  })

  it("is in the browser's language at first paint, where its owner has switched it on", async () => {
    const { id } = await seedTranslated()
    const { answer, html } = await page(`/share/${id}`, { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' })
    expect(firstTag(html)).toBe('<html lang="es">')
    expect(html).toContain('<title>Cambiar el filtro · Adapt</title>')
    expect(html).toContain(`hreflang="es" href="http://localhost:8787/share/${id}?lang=es"`)
    expect(html).toContain('<a href="?lang=en" hreflang="en" lang="en">English (original)</a>')
    expect(html).toContain('<a aria-current="true" href="?lang=es" hreflang="es" lang="es">Español</a>')
    expect(html).toContain(`href="/share/${id}/print?lang=es"`)
    expect(answer.headers.get('vary')).toBe('accept-language, cookie, accept')
    expect(answer.headers.get('x-adapt-languages')).toBeNull()
    for (const accepted of ['en-GB,es;q=0.5', 'it', '']) {
      const other = await page(`/share/${id}`, { 'accept-language': accepted })
      expect(firstTag(other.html)).toBe('<html lang="en-US">')
      expect(other.html).toContain('<title>Change the filter · Adapt</title>')
    }
  })

  it('is in the original within a page that is in the language of its learner', async () => {
    const { id } = await seedTranslated()
    const { html } = await page(`/share/${id}`, { 'accept-language': 'fr' })
    expect(firstTag(html)).toBe('<html lang="fr">')
    expect(html).toContain('<title>Change the filter · Adapt</title>')
    expect(html).toContain(`href="/share/${id}/print?lang=fr"`)
    expect(html).toContain(`rel="canonical" href="http://localhost:8787/share/${id}"`)
    expect(readData(html).module?.steps).toMatchObject([{ language: 'en' }, { language: 'en' }])
    expect(firstTag((await page(`/share/${id}/print?lang=fr`)).html)).toBe('<html lang="fr">')
  })

  it('keeps the language that a person chose on this device, also the original', async () => {
    const { id } = await seedTranslated()
    const { answer } = await page(`/share/${id}?lang=en`)
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^adapt_lang=en; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
    const headers = { cookie: cookie.split(';')[0] ?? '', 'accept-language': 'es' }
    expect(firstTag((await page(`/share/${id}`, headers)).html)).toBe('<html lang="en-US">')
    expect(firstTag((await page(`/embed/${id}`, { cookie: 'adapt_lang=es' })).html)).toBe('<html lang="es">')
    expect((await page(`/share/${id}`)).answer.headers.get('set-cookie')).toBeNull()
  })

  it('writes captions, files and the printed page in that language', async () => {
    const { id } = await seedTranslated()
    const text = async (name: string) => (await call(`/share/${id}/${name}`)).text()
    expect(await text('captions.vtt?lang=es')).toContain('00:00:04.000 --> 00:00:08.000\ny gire el tornillo')
    expect(await text('captions.srt?lang=es')).toContain('abra la tapa')
    expect(await text('captions.vtt')).toContain('and turn the screw')
    expect(await text('steps.md?lang=es')).toContain('### 1. Abrir la tapa')
    expect(await text('chapters.vtt?lang=es')).toContain('Abrir la tapa')
    const print = await text('print?lang=es')
    expect(firstTag(print)).toBe('<html lang="es">')
    expect(print).toContain('<h3>Abrir la tapa</h3>')
    expect(print).toMatch(/<li lang="en">.*<h3>Check the cable<\/h3>/s)
    expect(print).toContain(m.page_steps_in_original({ note: m.page_translation_approved('es'), count: 1 }, 'es'))
    expect(await text('print?lang=fr')).toContain('<h3>Open the lid</h3>')
  })

  it('is downloaded by its owner with the files of each language that it has', async () => {
    const { id, as } = await seedTranslated()
    await env.DB.prepare(`UPDATE modules SET languages = '["es","de"]' WHERE id = ?`).bind(id).run()
    const zip = await call(`/api/modules/${id}/files.zip`, { as })
    const files = await readZip(await zip.blob())
    const own = ['steps', 'chapters', 'captions', 'captions', 'transcript']
    const endings = ['md', 'vtt', 'vtt', 'srt', 'txt']
    const names = ['', '.es'].flatMap((language) => own.map((name, at) => `${name}${language}.${endings[at]}`))
    expect([...files.keys()]).toEqual(names)
    const textOf = async (name: string) => files.get(name)?.text()
    expect(await textOf('steps.es.md')).toContain('### 1. Abrir la tapa')
    expect(await textOf('captions.es.vtt')).toContain('y gire el tornillo')
    expect(await textOf('transcript.txt')).toContain('and turn the screw')
  })

  it('shows the original of a step as soon as its source has changed', async () => {
    const { id, as } = await seedTranslated()
    const { meta } = await answerOf(StepsAnswer, `/api/steps/${id}`, { as })
    const steps = STEPS.map((step) => (step.id === 'a' ? { ...step, description: 'Turn the screw 14 times.' } : step))
    await answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps, version: meta.version } })
    const { module } = await answerOf(ShareAnswer, `/api/share/${id}?lang=es`)
    expect(module.steps[0]).toMatchObject({
      title: 'Open the lid',
      description: 'Turn the screw 14 times.',
      language: 'en',
    })
  })

  it.each([
    ['title', [201]],
    ['chapters', [101, 1]],
    ['step:a', [101, 1]],
    ['step:a', [1, 501]],
    ['step:a', [1, 1, 201]],
    ['captions:s0', [2_001]],
  ])('takes no text that is longer than what it translates may be: %s %j', async (item, lengths) => {
    const { id, as } = await seedTranslated()
    const texts = lengths.map((length) => 'x'.repeat(length))
    const path = `/api/modules/${id}/translations/es`
    const { detail } = await problemOf(path, { as, method: 'PUT', json: { item, texts } })
    expect(detail).toMatch(/texts\.\d|texts/)
    expect(detail).toMatch(/characters|<=/)
  })

  it('brings the choice of a language in an answer that no shared cache keeps', async () => {
    const { id } = await seedTranslated()
    for (const path of [`/share/${id}`, `/embed/${id}`, `/share/c/${id}`]) {
      const { headers } = await call(`${path}?lang=es`)
      expect([path, headers.get('set-cookie')]).toEqual([path, expect.stringContaining('adapt_lang=es')])
      expect([path, headers.get('cache-control')]).not.toEqual([path, expect.stringContaining('public')])
    }
    expect((await call(`/share/${id}`)).headers.get('cache-control')).toBe('public, max-age=0')
  })

  it('takes no text that would leave a learner with nothing to read', async () => {
    const { id, as } = await seedTranslated()
    const json = { item: 'step:a', texts: ['Abrir la tapa', ' '] }
    const path = `/api/modules/${id}/translations/es`
    const problem = await problemOf(path, { as, method: 'PUT', json })
    expect(problem).toMatchObject({
      code: 'invalid_request',
      detail: '“Turn the screw 12 times.” has no translation yet.',
    })
    const late = await problemOf(path, { as, method: 'PUT', json: { ...json, texts: ['A', 'B'], sourceHash: 'other' } })
    expect(late.code).toBe('version_conflict')
    const { module } = await answerOf(ShareAnswer, `/api/share/${id}?lang=es`)
    expect(module.steps[0]?.description).toBe('Gire el tornillo 12 veces.')
  })

  it("is in the browser's language where that of the original is not known", async () => {
    const { id } = await seedTranslated(['es', 'de'])
    await env.DB.prepare(`UPDATE modules SET language = NULL, title = 'X' WHERE id = ?`).bind(id).run()
    await env.DB.prepare(`UPDATE steps SET title = 'X', description = 'X' WHERE module_id = ?`).bind(id).run()
    expect((await answerOf(ShareAnswer, `/api/share/${id}`)).module.original).toBeNull()
    expect(firstTag((await page(`/share/${id}`, { 'accept-language': 'es' })).html)).toBe('<html lang="es">')
    expect(firstTag((await page(`/share/${id}`, { 'accept-language': 'de' })).html)).toBe('<html lang="de">')
  })

  it('offers no language that is switched off, or of which nothing is there yet', async () => {
    const { id, edit } = await seedTranslated([])
    await edit('title', ['Cambiar el filtro'], 'es')
    const off = await page(`/share/${id}?lang=es`)
    expect(off.html).toContain('<title>Change the filter · Adapt</title>')
    expect(off.html).not.toContain('hreflang')
    await env.DB.prepare(`UPDATE modules SET languages = '["de"]' WHERE id = ?`).bind(id).run()
    expect((await answerOf(ShareAnswer, `/api/share/${id}?lang=de`)).module.languages).toEqual([])
  })

  it('is written from right to left in Arabic', async () => {
    const { id } = await seedTranslated(['ar'], { title: ['تغيير المرشح'] })
    expect(firstTag((await page(`/share/${id}?lang=ar`)).html)).toBe('<html lang="ar" dir="rtl">')
  })

  it('has a copy of the edge for each language, and all of them go together', async () => {
    const { id } = await seedTranslated()
    const readTitle = async () => /<title>(.*) · Adapt/.exec((await page(`/share/${id}?lang=es`)).html)?.[1]
    expect(await readTitle()).toBe('Cambiar el filtro')
    const sql = `UPDATE translations SET texts = '["Otro título"]' WHERE module_id = ? AND item = 'title'`
    await env.DB.prepare(sql).bind(id).run()
    expect(await readTitle()).toBe('Cambiar el filtro')
    await EDGE.SharePage.purge([`share-${id}`])
    expect(await readTitle()).toBe('Otro título')
  })

  it('lets no text of a translation break out of the page', async () => {
    const { id } = await seedTranslated(['es'], { title: ['</title><script>alert(1)</script>'] })
    const { html } = await page(`/share/${id}?lang=es`)
    expect(html).not.toContain('<script>alert(1)')
  })
})
