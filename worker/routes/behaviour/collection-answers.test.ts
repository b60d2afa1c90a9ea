// Behaviour: what the trainings of a collection have for the words that a person with its link asks.
import { env, exports } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, vi } from 'vitest'
import { CollectionAnswer } from '#contract/collection.ts'
import { Done } from '#contract/module.ts'
import { StepsAnswer } from '#contract/step.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { NARRATION } from '#worker/domain/tutor/testing/narration.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)
const EDGE = exports as unknown as { SharePage: Fetcher & { purge(tags: string[]): Promise<void> } }

const NOZZLES = [
  'Switch the filling machine off and wait until the belt stands still.',
  'The key for the nozzles hangs beside the door of the machine.',
  'Turn each nozzle to the left and put it into the bath for ten minutes.',
]
const NOZZLE_STEPS = [
  { id: 'n1', title: 'Stop the belt', description: 'Wait until it stands still.', start: 0, end: 6 },
  { id: 'n2', title: 'Clean <b>each</b> nozzle', description: 'Ten minutes in the bath.', start: 6, end: 18 },
]

/** A collection of a training about a tyre and one about nozzles, of one owner. */
async function seedCollection() {
  const as = `user_${nanoid(8)}`
  const { moduleId: tyre } = await seedTutored({ userId: as, title: 'Change a tyre', language: 'en' }, NARRATION)
  const nozzle = (await seedTutored({ userId: as, title: 'Filling machine', language: 'en' }, NOZZLES)).moduleId
  const saveNozzle = (steps: object[]) => answerOf(StepsAnswer, `/api/steps/${nozzle}`, { as, json: { steps } })
  await saveNozzle(NOZZLE_STEPS)
  const { collection } = await answerOf(CollectionAnswer, '/api/collections', { as, json: { title: 'Line 4' } })
  const json = { moduleIds: [tyre, nozzle] }
  await answerOf(CollectionAnswer, `/api/collections/${collection.id}`, { as, method: 'PATCH', json })
  return { as, tyre, nozzle, saveNozzle, id: collection.id }
}

const askFor = (id: string, words: string, lang = 'en') =>
  call(`/share/c/${id}/found?q=${encodeURIComponent(words)}&lang=${lang}`)

async function find(id: string, words: string, lang?: string) {
  const html = await (await askFor(id, words, lang)).text()
  const places = [
    ...html.matchAll(/<li><a href="([^"]+)".*?class="title"[^>]*>(.*?)<\/span>(.*?)<span class="facts">/g),
  ]
  const links = places.map(([, href = '']) => href.replaceAll('&amp;', '&'))
  const titles = places.map(([, , title = '']) => title.replace(/<\/?(?:mark|bdi)>/g, ''))
  const quotes = places.map(([, , , said = '']) =>
    [...said.matchAll(/<q[^>]*><bdi>(.*?)<\/bdi><\/q>/g)].map(([, text]) => text),
  )
  return { html, links, titles, quotes, says: /<p class="facts">(.*?)<\/p>/.exec(html)?.[1] }
}

describe('what a collection has for some words', () => {
  it('is steps of all its trainings, as one types, each opening at its moment with the way back', async () => {
    const { id, tyre, nozzle } = await seedCollection()
    const { links, titles, says } = await find(id, 'loosen')
    expect(titles[0]).toBe('Loosen the nuts')
    expect(links[0]).toBe(`/share/${tyre}?collection=${id}&t=18`)
    expect(says).toMatch(/^\d+ places? found$/)
    expect((await find(id, 'nozz')).links[0]).toBe(`/share/${nozzle}?collection=${id}&t=6`)
  })

  it('is what is said, word for word, where a question is asked', { tags: 'asked-2' }, async () => {
    const { id, nozzle } = await seedCollection()
    const { links, quotes } = await find(id, 'Where does the key for the nozzles hang?')
    expect(links[0]).toBe(`/share/${nozzle}?collection=${id}&t=6`)
    expect(quotes[0]).toEqual(['The key for the nozzles hangs beside the door of the machine.'])
  })

  it('says honestly that none of the trainings covers a question', { tags: 'asked-2' }, async () => {
    const { id } = await seedCollection()
    expect((await find(id, 'How much does the insurance cost in winter?')).says).toMatch(
      /^None of the 2 trainings covers that\./,
    )
    expect((await find(id, 'xylophone')).html).toBe('<p class="facts">None of the 2 trainings covers that.</p>')
  })

  it('counts only the trainings that it has searched: none with a password', async () => {
    const { as, id, tyre } = await seedCollection()
    await answerOf(Done, `/api/modules/${tyre}`, { as, method: 'PATCH', json: { linkPassword: 'Werkbank 7' } })
    expect((await find(id, 'xylophone')).html).toBe('<p class="facts">The training does not cover that.</p>')
  })

  it('leaves the page as it is where very much is asked, with a sentence', async () => {
    const { id } = await seedCollection()
    const failed = '<div id="found"><p class="facts">The search did not work. Please try again.</p></div>'
    const headers = { 'cf-connecting-ip': '192.0.2.61' }
    let html = ''
    for (let asked = 0; asked < 400 && !html.includes(failed); asked += 1) {
      const page = await call(`/share/c/${id}?q=loosen`, { headers })
      expect(page.status).toBe(200)
      html = await page.text()
    }
    expect(html).toContain(failed)
    expect(html).toContain('value="loosen"')
  })

  it('writes texts as texts, in steps and in the words of the address', { tags: 'asked-12' }, async () => {
    const { id } = await seedCollection()
    const { html } = await find(id, 'clean nozzle')
    expect(html).toContain('&lt;b&gt;')
    expect(html).not.toContain('<b>')
    const words = '"><script>alert(1)</script>'
    const page = await (await call(`/share/c/${id}?q=${encodeURIComponent(words)}`)).text()
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;alert(1)')
  })

  it('is in the page itself where there is no script, and the page allows its form', async () => {
    const { id } = await seedCollection()
    const answer = await call(`/share/c/${id}?q=loosen`)
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'")
    const html = await answer.text()
    expect(html).toContain('value="loosen"')
    expect(html).toMatch(/<p id="says" class="facts" role="status"><\/p><div id="found"><p class="facts">\d/)
    expect(await (await call(`/share/c/${id}?q=%20`)).text()).toContain('<div id="found"></div>')
  })

  it.each(['../..', '.', '%2F', 'a/b?c#d', '\u0000', 'x'.repeat(5_000)])('answers %j', async (words) => {
    const { id } = await seedCollection()
    expect((await askFor(id, words)).status).toBe(200)
  })

  it('is only what a learner of each training sees', { tags: 'threat-3' }, async () => {
    const { as, id, tyre, nozzle, saveNozzle } = await seedCollection()
    const findNow = async (words: string) => {
      await EDGE.SharePage.purge([`share-${id}`])
      return find(id, words)
    }
    expect((await findNow('stop belt')).titles).toEqual(['Stop the belt'])
    expect((await findNow('Switch the filling machine off')).html).toContain('Switch')
    const json = { cuts: [[0, 6]] }
    await answerOf(StepsAnswer, `/api/steps/${nozzle}/cuts`, { as, method: 'PUT', json })
    expect((await findNow('stop belt')).titles).toEqual([])
    expect((await findNow('Switch the filling machine off')).html).not.toContain('Switch')
    await call(`/api/versions/${nozzle}`, { as, method: 'PUT', json: { isOn: true } })
    await saveNozzle([{ ...NOZZLE_STEPS[1], title: 'Unpublished words' }])
    expect((await findNow('unpublished')).titles).toEqual([])
    await answerOf(Done, `/api/modules/${tyre}`, { as, method: 'PATCH', json: { shared: false } })
    expect((await findNow('loosen')).titles).toEqual([])
    await answerOf(CollectionAnswer, `/api/collections/${id}`, { as, method: 'PATCH', json: { shared: false } })
    expect((await askFor(id, 'other words')).status).toBe(404)
  })

  it('is searched in the language of the reader as well, and quoted in both', async () => {
    const { as, id, nozzle } = await seedCollection()
    await env.DB.prepare(`UPDATE modules SET languages = '["es"]' WHERE id = ?`).bind(nozzle).run()
    const translate = (item: string, texts: string[]) =>
      answerOf(Done, `/api/modules/${nozzle}/translations/es`, { as, method: 'PUT', json: { item, texts } })
    await translate('step:n2', ['Limpiar cada boquilla', 'Diez minutos en el baño.'])
    const captions = ['Apague la máquina.', 'La llave de las boquillas cuelga junto a la puerta.', 'Gire la boquilla.']
    await translate('captions:c-00000', captions)
    const step = await find(id, 'limpiar boquilla', 'es')
    expect(step.titles).toEqual(['Limpiar cada boquilla'])
    expect(step.links[0]).toContain(`/share/${nozzle}?`)
    const { quotes } = await find(id, '¿Dónde cuelga la llave de las boquillas?', 'es')
    expect(quotes[0]).toEqual([NOZZLES[1], captions[1]])
    expect((await find(id, 'limpiar boquilla', 'fr')).titles).toEqual([])
  })

  it('lies at the edge under the words and the tags of the collection and its trainings', async () => {
    const { id, tyre, nozzle } = await seedCollection()
    const answer = await EDGE.SharePage.fetch(`https://share.edge/found/${id}/en/~loosen`)
    expect(answer.headers.get('cache-tag')).toBe(`share-${id},share-${tyre},share-${nozzle}`)
    expect(answer.headers.get('cloudflare-cdn-cache-control')).toMatch(/^max-age=30/)
  })
})
