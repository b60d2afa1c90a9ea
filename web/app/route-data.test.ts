import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CallApi } from '#web/lib/api.ts'
import { keepPrefetchDeps, loadDataOf, prefetchOnIntent } from './route-data.ts'

const ROUTES = [
  { path: '/training/:moduleId', loader: loadDataOf('/training/:moduleId') },
  { path: '/dashboard', loader: loadDataOf('/dashboard') },
  { path: '/upload' },
]

let asked: string[]

beforeEach(() => {
  asked = []
  const callApi = (async ({ path }: { path: string }) => {
    asked.push(path.replace(/\?.*/, ''))
    return { module: {}, modules: [], collections: [] }
  }) as unknown as CallApi
  keepPrefetchDeps({ queryClient: new QueryClient({ defaultOptions: { queries: { retry: false } } }), callApi })
})

let stop = () => {}
afterEach(() => {
  stop()
  stop = () => {}
  keepPrefetchDeps(null)
  document.body.innerHTML = ''
})

function addLink(href: string): HTMLAnchorElement {
  document.body.innerHTML = `<a href="${href}"><span>there</span></a>`
  return document.querySelector('a') as HTMLAnchorElement
}

const rest = () => new Promise((resolve) => setTimeout(resolve, 120))

describe('loadDataOf', () => {
  it('asks for all that a page shows at once, without waiting for it', async () => {
    const loader = loadDataOf('/training/:moduleId') as (args: unknown) => unknown
    expect(loader({ params: { moduleId: 'm1' }, request: new Request('http://adapt.test/training/m1') })).toBeNull()
    await vi.waitFor(() => expect(asked).toEqual(['/api/modules/m1', '/api/steps/m1', '/api/transcript/m1']))
  })

  it('asks for people and trainings of the matrix beside its code', async () => {
    const loader = loadDataOf('/team/matrix') as (args: unknown) => unknown
    loader({ params: {}, request: new Request('http://adapt.test/team/matrix') })
    await vi.waitFor(() => expect(asked).toEqual(['/api/matrix', '/api/collections']))
  })

  it('asks for nothing of a video that was just sent', async () => {
    const loader = loadDataOf('/training/:moduleId') as (args: unknown) => unknown
    loader({ params: { moduleId: 'm1' }, request: new Request('http://adapt.test/training/m1?processing=true') })
    await rest()
    expect(asked).toEqual([])
  })

  it('asks for nothing before the visitor is known', async () => {
    keepPrefetchDeps(null)
    const loader = loadDataOf('/dashboard') as (args: unknown) => unknown
    loader({ params: {}, request: new Request('http://adapt.test/dashboard') })
    await rest()
    expect(asked).toEqual([])
  })
})

describe('prefetchOnIntent', () => {
  it('asks once when the pointer rests on a link', async () => {
    stop = prefetchOnIntent(document, ROUTES)
    const link = addLink('/dashboard')
    link.firstElementChild?.dispatchEvent(new Event('pointerover', { bubbles: true }))
    link.dispatchEvent(new Event('focusin', { bubbles: true }))
    await vi.waitFor(() =>
      expect(asked.toSorted()).toEqual(['/api/feedback/stats', '/api/modules', '/api/opened-modules']),
    )
  })

  it('asks for nothing when the pointer only crosses it, for a page without data, or for another site', async () => {
    stop = prefetchOnIntent(document, ROUTES)
    addLink('/dashboard').dispatchEvent(new Event('pointerover', { bubbles: true }))
    document.body.dispatchEvent(new Event('pointerover', { bubbles: true }))
    await rest()
    for (const href of ['/upload', 'https://elsewhere.test/dashboard']) {
      addLink(href).dispatchEvent(new Event('pointerover', { bubbles: true }))
      await rest()
    }
    expect(asked).toEqual([])
  })
})
