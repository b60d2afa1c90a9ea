import { afterEach, describe, expect, it } from 'vitest'
import earlyScript from '../public/early.js?raw'
import { earlyFilesTag } from './early-files.ts'

// oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- runs the file as the browser does
const runEarlyScript = new Function(earlyScript) as () => void

const KEY = `pk_live_${btoa('clerk.example.com$')}`
const FILES = [
  { name: 'workspace', fileName: 'assets/workspace-1.js' },
  { name: 'workspace', fileName: 'assets/workspace-1.css' },
  { name: 'account', fileName: 'assets/account-2.js' },
  { name: 'pages', fileName: 'assets/pages-4.js' },
  { name: 'landing-page', fileName: 'assets/landing-page-3.js' },
]

describe('earlyFilesTag', () => {
  it("names Clerk's script at its own host and the chunks that every page of a signed-in person loads", () => {
    const [tag] = earlyFilesTag({ publishableKey: KEY, proxyUrl: undefined, files: FILES })
    expect(tag?.attrs).toMatchObject({
      src: '/early.js',
      'data-clerk': expect.stringMatching(
        /^https:\/\/clerk\.example\.com\/npm\/@clerk\/clerk-js@\d+\/dist\/clerk\.browser\.js$/,
      ),
      'data-modules': '/assets/workspace-1.js /assets/account-2.js /assets/pages-4.js',
    })
  })

  it('names the script behind a proxy', () => {
    const [tag] = earlyFilesTag({ publishableKey: KEY, proxyUrl: '/__clerk', files: FILES })
    expect(tag?.attrs?.['data-clerk']).toMatch(/^\/__clerk\/npm\/@clerk\/clerk-js@\d+\//)
  })

  it('refuses a build in which a chunk is missing', () => {
    const build = { publishableKey: KEY, proxyUrl: undefined, files: FILES.slice(0, 3) }
    expect(() => earlyFilesTag(build)).toThrow('account, workspace, pages')
  })

  it.each([undefined, '', 'pk_live_nonsense'])('names nothing for the key %j, with which no sign-in works', (key) => {
    expect(earlyFilesTag({ publishableKey: key, proxyUrl: undefined, files: FILES })).toEqual([])
  })
})

describe('early.js', () => {
  const addedLinks = () => [...document.head.querySelectorAll('link')]

  function open(path: string, cookie: string) {
    window.history.replaceState(null, '', path)
    document.cookie = cookie
    const tag = document.createElement('script')
    Object.assign(tag.dataset, { clerk: 'https://clerk.example.com/clerk.js', modules: '/assets/a.js /assets/b.js' })
    Object.defineProperty(document, 'currentScript', { value: tag, configurable: true })
    runEarlyScript()
  }

  afterEach(() => {
    for (const link of addedLinks()) link.remove()
    Reflect.deleteProperty(document, 'currentScript')
    document.cookie = '__client_uat=0'
  })

  it('asks for the files of a page for a person who has signed in here', () => {
    open('/dashboard', '__client_uat=1795412345')
    expect(addedLinks().map(({ rel, href }) => [rel, new URL(href).pathname])).toEqual([
      ['preload', '/clerk.js'],
      ['modulepreload', '/assets/a.js'],
      ['modulepreload', '/assets/b.js'],
    ])
    expect(addedLinks().every(({ crossOrigin }) => crossOrigin === 'anonymous')).toBe(true)
  })

  it.each([
    ['for the landing page, which is drawn first', '/', '__client_uat=1795412345'],
    ['for a person who has signed out', '/dashboard', '__client_uat=0'],
  ])('asks for nothing %s', (_, path, cookie) => {
    open(path, cookie)
    expect(addedLinks()).toEqual([])
  })
})
