import { afterEach, expect, it, vi } from 'vitest'
import { reloadOnStaleBuild } from './stale-build.ts'

afterEach(() => sessionStorage.clear())

function fakeWindow({ onLine = true } = {}) {
  const events = new EventTarget()
  const reload = vi.fn()
  const target = {
    addEventListener: events.addEventListener.bind(events),
    sessionStorage,
    navigator: { onLine },
    location: { reload },
  } as unknown as Window
  const failToLoad = () => events.dispatchEvent(new Event('vite:preloadError'))
  const comeOnline = () => events.dispatchEvent(new Event('online'))
  return { target, reload, failToLoad, comeOnline }
}

it('loads the page again when a chunk is gone, and leaves a second failure to the error page', () => {
  const { target, reload, failToLoad } = fakeWindow()
  reloadOnStaleBuild(target)
  failToLoad()
  failToLoad()
  expect(reload).toHaveBeenCalledOnce()
})

it('waits for the connection when a chunk could not be loaded offline', () => {
  const { target, reload, failToLoad, comeOnline } = fakeWindow({ onLine: false })
  reloadOnStaleBuild(target)
  failToLoad()
  expect(reload).not.toHaveBeenCalled()
  comeOnline()
  expect(reload).toHaveBeenCalledOnce()
})
