import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SharedModule } from '#contract/share.ts'
import type { SharePageData } from '#contract/share-page.ts'
import { makeSharedModule, makeSharedStep, makeStep } from '#contract/testing/examples.ts'
import { writeSharePage } from './write-page.ts'

const FILES = `<!--share-files--><a href="/share/MODULE/print">Print</a><!--share-captions-->
  <a href="/share/MODULE/captions.srt">Captions</a><!--/share-captions--><!--share-interface--><a href="?lang=TAG">NAME</a><!--/share-interface--><!--/share-files-->`
const MENU =
  '<!--share-languages--><nav><!--share-language--><a href="?lang=TAG" lang="TAG">NAME</a><!--/share-language--><!--share-language-note--><!--share-beside--><button>Both</button><!--/share-beside--></nav><!--/share-languages-->'
const TEMPLATE = `<html lang="en"><head><!--share-head--><title>x</title><!--/share-head--></head><body><!--share-back--><a href="COLLECTION">TITLE</a><!--/share-back-->${MENU}${FILES}<!--share-data--></body>`

function makeData(fields: Partial<SharedModule> = {}): SharePageData {
  const module = makeSharedModule({
    id: 'abcdefghijklmnopqrstuv',
    title: 'Change the filter',
    totalDuration: 61.4,
    posterUrl: '/share/abcdefghijklmnopqrstuv/images/poster',
    steps: [makeSharedStep(makeStep('s1', 1, { title: 'Open it' }))],
    ...fields,
  })
  return { module, status: 200, look: 'page' }
}

function write(fields?: Partial<SharedModule>): string {
  return writeSharePage(TEMPLATE, makeData(fields), { tag: 'en', origin: 'https://adapt.test' })
}

function readData(html: string): SharePageData {
  const [, json = ''] = /<script type="application\/json" id="share-data">(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(json) as SharePageData
}

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '--><img src=x onerror=alert(1)>',
  '" onload="alert(1)',
  "' autofocus onfocus='alert(1)",
  '</title><svg/onload=alert(1)>',
  "$& $1 $` $'",
  '<!--share-data-->',
  '<!--/share-head-->',
  '\u2028\u2029\u0000\ud800',
  '&lt;b&gt; &amp;',
]

describe('writeSharePage', () => {
  it('names the module to those who only read the head', () => {
    const html = write()
    expect(html).toContain('<title>Change the filter · Adapt</title>')
    expect(html).toContain('<meta name="description" content="1 step: Open it" />')
    expect(html).toContain('<meta property="og:title" content="Change the filter" />')
    expect(html).toContain('content="https://adapt.test/share/abcdefghijklmnopqrstuv/images/poster"')
    expect(html).toContain('<meta property="video:duration" content="61" />')
    expect(html).toContain('rel="alternate" type="application/json+oembed"')
    expect(html).toContain('rel="preload" as="image" href="/share/abcdefghijklmnopqrstuv/images/poster"')
  })

  it('links to what can be taken along, on the page itself', () => {
    const withCaptions = write({ captionsUrl: '/share/abcdefghijklmnopqrstuv/captions.vtt' })
    expect(withCaptions).toContain('<a href="/share/abcdefghijklmnopqrstuv/print">Print</a>')
    expect(withCaptions).toContain('<a href="/share/abcdefghijklmnopqrstuv/captions.srt">Captions</a>')
    expect(write()).toContain('/print')
    expect(write()).not.toContain('captions.srt')
    const framed = writeSharePage(
      TEMPLATE,
      { ...makeData(), look: 'embed' },
      { tag: 'en', origin: 'https://adapt.test' },
    )
    const gone = writeSharePage(
      TEMPLATE,
      { module: null, status: 404, look: 'page' },
      { tag: 'en', origin: 'https://adapt.test' },
    )
    for (const html of [framed, gone]) expect(html).not.toMatch(/print|MODULE/)
  })

  it('leaves out the pictures of a module that has none', () => {
    expect(write({ posterUrl: null })).not.toMatch(/og:image|rel="preload"/)
  })

  it.each(HOSTILE)('lets the title %j do nothing but be read', { tags: 'threat-14' }, (title) => {
    const step = makeSharedStep(makeStep('s1', 1, { title, description: title }))
    const html = write({ title, steps: [step] })
    const plain = write()
    for (const mark of [/<script/g, /<\/script/g, /<!--/g, /<svg|<img/g]) {
      expect(html.match(mark)?.length, String(mark)).toBe(plain.match(mark)?.length)
    }
    // Written as JSON, half of a surrogate pair stays what it is.
    expect(readData(html)).toEqual(makeData({ title, steps: [step] }))
  })

  it('keeps every text in its place, whatever it is', () => {
    const counts = (html: string) => [html.match(/[<>]/g)?.length, html.match(/"/g)?.length].map(Number)
    const [angles] = counts(write())
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (title) => {
        const html = write({ title })
        expect(counts(html)[0]).toBe(angles)
        expect(readData(html).module?.title).toBe(title)
      }),
    )
  })

  it('says nothing of a module that is not there', () => {
    const html = writeSharePage(
      TEMPLATE,
      { module: null, status: 404, look: 'page' },
      { tag: 'en', origin: 'https://adapt.test' },
    )
    expect(html).toContain('<title>Not available · Adapt</title>')
    expect(html).not.toContain('og:')
    expect(readData(html)).toEqual({ module: null, status: 404, look: 'page' })
  })

  it('refuses a page that is not the share page', () => {
    expect(() => writeSharePage('<html></html>', makeData(), { tag: 'en', origin: 'https://adapt.test' })).toThrow(
      'not built',
    )
  })
})

describe('the links to other languages', () => {
  const place = { tag: 'en' as const, origin: 'https://adapt.test', back: { id: 'kitchen', title: 'Kitchen' } }

  it('keep the way back to a collection', () => {
    const html = writeSharePage(TEMPLATE, makeData({ original: 'en', languages: ['es'] }), place)
    expect(html).toContain('href="?collection=kitchen&amp;lang=es"')
    expect(write({ original: 'en', languages: ['es'] })).toContain('href="?lang=es"')
  })
})
