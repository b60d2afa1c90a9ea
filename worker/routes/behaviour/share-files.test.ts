// Behaviour: files of a shared module: captions, subtitles, print.
import { describe, expect, it } from 'vitest'
import { Done } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { SHARED_FILES } from '#contract/share-page.ts'
import { StepsAnswer } from '#contract/step.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import { readVtt } from '#media/testing/read-vtt.ts'
import { readZip } from '#records/read-zip.ts'

const AS = 'user_owner'
const SAID = 'Cut <here> & --> there.'
const WEBP = new TextEncoder().encode('RIFF....WEBPVP8 and so on')

async function seedCaptioned(fields: Parameters<typeof seedModule>[0] = {}): Promise<string> {
  const { id } = await seedModule({ status: 'READY', durationMs: 60_000, ...fields })
  await seedCaptions(id, [{ startMs: 1500, endMs: 4000, text: SAID, confidence: null }])
  return id
}

const STEPS = [
  {
    title: 'Open *it* [now]',
    description: 'Lift the lid.\n\n1. Not a list',
    start: 1.5,
    end: 9,
    chapter: 'The lid',
    callouts: [{ kind: 'warning', text: 'It is <hot>.' }],
    commands: [{ kind: 'command', text: 'echo "```" > <lid>', startMs: 3_000 }],
  },
  { title: 'Close it', description: '', start: 9, end: 20 },
]

async function seedTraining(fields: Parameters<typeof seedModule>[0] = {}, steps = STEPS): Promise<string> {
  const id = await seedCaptioned(fields)
  await answerOf(StepsAnswer, `/api/steps/${id}`, { as: AS, json: { steps } })
  await answerOf(Done, `/api/modules/${id}/images/step-1500`, { as: AS, method: 'PUT', body: WEBP })
  return id
}

const textOf = async (path: string, as?: string) => (await call(path, as === undefined ? {} : { as })).text()

describe('GET /share/{id}/captions.vtt', () => {
  it('serves the transcript as captions to anyone with the link, cached, and names its address', async () => {
    const id = await seedCaptioned()
    const { module } = await answerOf(ShareAnswer, `/api/share/${id}`)
    expect(module.captionsUrl).toBe(`/share/${id}/captions.vtt`)
    const first = await call(`/share/${id}/captions.vtt`)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(first.headers.get('cloudflare-cdn-cache-control')).toBeNull()
    const etag = first.headers.get('etag') ?? ''
    expect(readVtt(await first.text())).toEqual([{ startMs: 1500, endMs: 4000, text: SAID }])
    const second = await call(`/share/${id}/captions.vtt`)
    expect(second.headers.get('cf-cache-status')).toBe('HIT')
    const same = await call(`/share/${id}/captions.vtt`, { headers: { 'if-none-match': etag } })
    expect(same.status).toBe(304)
  })

  it('has nothing for un-shared, unknown, unheard and unfinished modules', async () => {
    const off = await seedCaptioned({ shared: false })
    const unfinished = await seedCaptioned({ status: 'PROCESSING' })
    const unheard = await seedModule({ status: 'READY' })
    for (const id of [off, unfinished, unheard.id, 'nonsense', 'aaaaaaaaaaaaaaaaaaaaaa']) {
      expect((await problemOf(`/share/${id}/captions.vtt`)).code, id).toBe('not_found')
    }
    expect((await answerOf(ShareAnswer, `/api/share/${unfinished}`)).module.captionsUrl).toBeNull()
    expect((await answerOf(ShareAnswer, `/api/share/${unheard.id}`)).module.captionsUrl).toBeNull()
  })
})

describe('the files of a shared module', () => {
  it('the files of a shared module are its steps as Markdown, with links and an image that need no signature, and nothing of it markup', async () => {
    const id = await seedTraining()
    const answer = await call(`/share/${id}/steps.md`)
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const page = `http://localhost:8787/share/${id}`
    expect(await answer.text()).toBe(`# Change the filter

[Watch the video](${page})

## The lid

> **Warning:** It is \\<hot\\>.

### 1. Open \\*it\\* \\[now\\]

![Step 1](${page}/images/step-1500)

Lift the lid.

1\\. Not a list

\`\`\`\`
echo "\`\`\`" > <lid>
\`\`\`\`

[Play from 0:03](${page}?t=3)

[Play from 0:01](${page}?t=1.5)

---

### 2. Close it

[Play from 0:09](${page}?t=9)
`)
    const image = await call(`/share/${id}/images/step-1500`)
    expect(new Uint8Array(await image.arrayBuffer())).toEqual(WEBP)
  })

  it('leave a pause between two steps as it is, in chapters, print and Markdown', async () => {
    const steps = STEPS.map((step, at) => (at === 0 ? step : { ...step, start: 39, end: 50 }))
    const id = await seedTraining({}, steps)
    expect(readVtt(await textOf(`/share/${id}/chapters.vtt`))).toEqual([
      { startMs: 1_500, endMs: 9_000, text: 'Open *it* [now]' },
      { startMs: 39_000, endMs: 50_000, text: 'Close it' },
    ])
    expect(await textOf(`/share/${id}/print`)).toContain('0:39</div>')
    expect(await textOf(`/share/${id}/steps.md`)).toContain(`[Play from 0:39](http://localhost:8787/share/${id}?t=39)`)
  })

  it('the files of a shared module are its chapters, each until the next one, and its captions as SubRip', async () => {
    const id = await seedTraining()
    expect(readVtt(await textOf(`/share/${id}/chapters.vtt`))).toEqual([
      { startMs: 1_500, endMs: 9_000, text: 'Open *it* [now]' },
      { startMs: 9_000, endMs: 20_000, text: 'Close it' },
    ])
    const srt = await call(`/share/${id}/captions.srt`)
    expect(srt.headers.get('content-type')).toBe('application/x-subrip; charset=utf-8')
    expect(new TextDecoder().decode(await srt.arrayBuffer())).toBe(
      '1\n00:00:01,500 --> 00:00:04,000\nCut <here> & → there.\n',
    )
  })

  it('come out of the cache of the edge, and change and go with the page', async () => {
    const id = await seedTraining()
    const path = `/share/${id}/steps.md`
    await textOf(path)
    expect((await call(path)).headers.get('cf-cache-status')).toBe('HIT')
    await call(`/api/modules/${id}`, { as: AS, method: 'PATCH', json: { shared: false } })
    for (const name of SHARED_FILES) expect((await problemOf(`/share/${id}/${name}`)).code, name).toBe('not_found')
    expect((await problemOf(`/share/${id}/all.md`)).code).toBe('not_found')
  })
})

describe('GET /share/{id}/print', () => {
  it('is a page without a script, with the version, and a picture, callouts, commands and code of each step', async () => {
    const id = await seedTraining({ title: 'Change <the> filter' })
    const answer = await call(`/share/${id}/print`)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await answer.text()
    expect(html).not.toContain('<script')
    expect(html).toContain('<h1>Change &lt;the&gt; filter</h1>')
    expect(html).toMatch(/Version 1 · \d+ [A-Z][a-z]+ \d{4} · 2 steps · video of 1:00/)
    expect(html).toContain('<li class="warning"><b>Warning:</b> It is &lt;hot&gt;.</li>')
    expect(html).toContain(`<img src="http://localhost:8787/share/${id}/images/step-1500" alt="">`)
    expect(html).toContain('<pre dir="ltr" translate="no"><code>echo &quot;```&quot; &gt; &lt;lid&gt;</code></pre>')
    expect(html.match(/<svg/g)).toHaveLength(3)
    expect((await call(`/share/${id}/print`)).headers.get('cf-cache-status')).toBe('HIT')
    const etag = answer.headers.get('etag') ?? ''
    expect((await call(`/share/${id}/print`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  it('has the part of an image that is marked, of the widest that there is', async () => {
    const marked = STEPS.map((step, at) =>
      at === 0
        ? { ...step, focus: { x: 25, y: 50, width: 50, height: 25 } }
        : { ...step, focus: { x: 40, y: 0, width: 20, height: 100 } },
    )
    const id = await seedTraining({}, marked)
    for (const name of ['step-1500-1600w', 'step-9000'])
      await answerOf(Done, `/api/modules/${id}/images/${name}`, { as: AS, method: 'PUT', body: WEBP })
    const html = await textOf(`/share/${id}/print`)
    expect(html).toContain('<div class="part" style="aspect-ratio:800/225;width:min(100%,248.9mm)">')
    expect(html).toContain('<img style="width:200.00%;height:400.00%;left:-50.00%;top:-200.00%" src=')
    expect(html).toContain(`/share/${id}/images/step-1500-1600w"`)
    // No higher than the 70 mm of a whole image.
    expect(html).toContain('<div class="part" style="aspect-ratio:320/900;width:min(100%,24.9mm)">')
  })

  it('is gone with the link, and says so as the page does', async () => {
    const id = await seedTraining()
    await textOf(`/share/${id}/print`)
    await call(`/api/modules/${id}`, { as: AS, method: 'PATCH', json: { shared: false } })
    const gone = await call(`/share/${id}/print`)
    expect([gone.status, gone.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })
})

describe('GET /api/modules/{id}/files.zip', () => {
  it('gives owners all files and images, with links between them, whether or not it is shared', async () => {
    const id = await seedTraining({ shared: false })
    const answer = await call(`/api/modules/${id}/files.zip`, { as: AS })
    expect(answer.headers.get('content-type')).toBe('application/zip')
    const files = await readZip(await answer.blob())
    const names = [
      'steps.md',
      'chapters.vtt',
      'captions.vtt',
      'captions.srt',
      'transcript.txt',
      'images/step-1500.webp',
    ]
    expect([...files.keys()]).toEqual(names)
    const read = async (name: string) => files.get(name)?.text()
    expect(await read('steps.md')).toContain('![Step 1](images/step-1500.webp)')
    expect(readVtt((await read('captions.vtt')) ?? '')).toHaveLength(1)
    expect(await files.get('images/step-1500.webp')?.bytes()).toEqual(WEBP)
    expect(await read('transcript.txt')).toBe(`${SAID}\n`)
    expect(await textOf(`/api/modules/${id}/transcript.txt`, AS)).toBe(`${SAID}\n`)
  })

  it('has what there is of a module that is being made, and nothing for others', async () => {
    const { id } = await seedModule()
    const files = await readZip(await (await call(`/api/modules/${id}/files.zip`, { as: AS })).blob())
    expect([...files.keys()]).toEqual(['steps.md', 'chapters.vtt'])
    for (const name of ['files.zip', 'transcript.txt']) {
      expect((await problemOf(`/api/modules/${id}/${name}`, { as: 'user_viewer' })).code).toBe('not_found')
    }
  })
})
