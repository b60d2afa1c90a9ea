// Behaviour: what other sites embed: oEmbed and the frame.
import { describe, expect, it } from 'vitest'
import { OembedAnswer } from '#contract/share.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'

const ORIGIN = 'http://localhost:8787'

function pathOf(address: string, more = ''): string {
  return `/api/oembed?url=${encodeURIComponent(address)}${more}`
}

describe('GET /api/oembed', () => {
  it('describes how to show a share page in a frame', async () => {
    const { id } = await seedModule({ status: 'READY', hasPoster: true })
    const answer = await answerOf(OembedAnswer, pathOf(`${ORIGIN}/share/${id}`))
    expect(answer.html).toContain(`<iframe src="${ORIGIN}/embed/${id}"`)
    expect(answer.html).toContain('style="border:0"')
    expect(answer.thumbnail_url).toBe(`${ORIGIN}/share/${id}/images/poster`)
  })

  it('keeps to the size that was asked for', async () => {
    const { id } = await seedModule({ status: 'READY' })
    const answer = await answerOf(OembedAnswer, pathOf(`${ORIGIN}/embed/${id}`, '&maxwidth=320&maxheight=4000'))
    expect([answer.width, answer.height]).toEqual([320, 720])
    expect(answer.thumbnail_url).toBeUndefined()
  })

  it('lets no title out of its attribute', async () => {
    const { id } = await seedModule({ status: 'READY', title: '"><script>alert(1)</script>' })
    const answer = await answerOf(OembedAnswer, pathOf(`${ORIGIN}/share/${id}`))
    expect(answer.html).toContain('title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  })

  it('knows only share pages of its own that are shared', async () => {
    const off = await seedModule({ shared: false })
    const on = await seedModule()
    for (const address of [
      `${ORIGIN}/share/${off.id}`,
      `https://evil.test/share/${on.id}`,
      `${ORIGIN}/training/${on.id}`,
      'javascript:alert(1)',
      'x',
    ]) {
      expect((await problemOf(pathOf(address))).code, address).toBe('not_found')
    }
  })

  it('refuses a format that it has not, and a size that is none', async () => {
    const { id } = await seedModule()
    expect((await call(pathOf(`${ORIGIN}/share/${id}`, '&format=xml'))).status).toBe(501)
    expect((await call(pathOf(`${ORIGIN}/share/${id}`, '&maxwidth=wide'))).status).toBe(400)
  })
})
