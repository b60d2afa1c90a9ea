import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { OwnTraining } from '#contract/team/my-trainings.ts'
import { listStored } from '#web/lib/browser-state.ts'
import { readPerson } from '#web/lib/device/device-person.ts'
import { FakeCaches } from '#web/testing/fake-caches.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { ScanCode } from '#web/ui/scan-code.tsx'
import { MyPage } from './my-page.tsx'

const TRAINING: OwnTraining = {
  moduleId: 'm1',
  version: 'a'.repeat(64),
  title: 'Change the filter',
  stepCount: 4,
  path: '/share/m1',
  rule: { reached: true, confirmed: true, signedOff: false },
  dueAt: '2020-03-31T12:00:00.000Z',
  startedAt: null,
  reachedAt: null,
  confirmedAt: null,
  doneAt: null,
  expiresAt: null,
  isOpen: true,
  refusedSteps: 0,
  changedSteps: null,
}
const DONE = {
  ...TRAINING,
  moduleId: 'm2',
  title: 'Start the press',
  isOpen: false,
  doneAt: '2026-05-04T12:00:00.000Z',
}

const CONFLICT = {
  type: 'about:blank',
  title: '',
  status: 409,
  code: 'version_conflict',
  detail: '',
  requestId: 'r1',
  success: false,
  error: '',
}

/** A device that is somebody's, or nobody's, and what it was sent. */
let own: { personId: string; name: string; isShared: boolean; trainings: OwnTraining[] } | null
let sent: string[]
let isOffline: boolean

beforeEach(() => {
  own = { personId: 'anna', name: 'Anna Berg', isShared: false, trainings: [TRAINING, DONE] }
  sent = []
  isOffline = false
  vi.stubGlobal('fetch', async (url: string, { method, body }: { method: string; body?: string }) => {
    if (isOffline) throw new TypeError('Failed to fetch')
    if (method !== 'GET') sent.push(`${url} ${body ?? ''}`)
    const path = url.split('?')[0]
    if (path === '/api/my' && own === null) return Response.json({ code: 'unauthenticated' }, { status: 401 })
    if (path === '/api/my') return Response.json({ success: true, confirmation: 'I have understood it.', ...own })
    if (path === '/api/my/open') {
      const isGroup = body?.includes('"g-') === true
      if (body === '{"key":"p-bo"}')
        return Response.json({ success: true, kind: 'other', name: 'Bo', holder: 'Anna Berg' })
      if (isGroup) return Response.json({ success: true, kind: 'group', name: 'Line 3' })
      return Response.json({ success: true, kind: 'person', name: own?.name, personId: own?.personId })
    }
    if (path === '/api/my/code') own = { personId: 'bo', name: 'Bo', isShared: true, trainings: [TRAINING] }
    if (path === '/api/my/leave') own = null
    if (path?.endsWith('/confirm') && body?.includes(`"personId":"${own?.personId}"`) !== true)
      return Response.json(CONFLICT, { status: 409 })
    return Response.json({ success: true })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/')
})

it('opens a personal link, which leaves the address, and says what is to do and what is done', async () => {
  window.history.replaceState(null, '', '/my#p-secret')
  renderApp(<MyPage />, { visitor: 'signedOut' })
  expect(await screen.findByRole('heading', { name: 'Change the filter' })).toBeVisible()
  expect(sent).toEqual(['/api/my/open {"key":"p-secret"}'])
  expect(window.location.hash).toBe('')
  expect(screen.getByText('Was due Mar 31, 2020')).toBeVisible()
  expect(screen.getByText('Done May 4, 2026')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Begin' })).toHaveAttribute('href', '/share/m1')
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull()
})

it('asks for the confirmation once all steps were watched, with the words that are recorded', async () => {
  own = {
    personId: 'anna',
    name: 'Anna',
    isShared: false,
    trainings: [{ ...TRAINING, reachedAt: '2026-11-01T12:00:00.000Z' }],
  }
  window.history.replaceState(null, '', '/my#p-other')
  const { user } = renderApp(<MyPage />, { visitor: 'signedOut' })
  expect(await screen.findByText('I have understood it.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Watch again' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  const shown = { personId: 'anna', version: TRAINING.version }
  const body = JSON.stringify({ ...shown, language: 'en' })
  await waitFor(() => expect(sent).toContain(`/api/my/trainings/m1/confirm ${body}`))
})

it('leaves the focus at what is to do once a confirmation has arrived', async () => {
  const reached = { ...TRAINING, reachedAt: '2026-11-01T12:00:00.000Z' }
  own = { personId: 'anna', name: 'Anna', isShared: false, trainings: [reached] }
  const { user } = renderApp(<MyPage />, { visitor: 'signedOut' })
  const confirm = await screen.findByRole('button', { name: 'Confirm' })
  const doneAt = '2026-11-02T12:00:00.000Z'
  own = { ...own, trainings: [{ ...reached, isOpen: false, confirmedAt: doneAt, doneAt }] }
  await user.click(confirm)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull())
  expect(screen.getByRole('heading', { name: 'To do' })).toHaveFocus()
})

it('confirms for nobody but the person whom the page names, and shows who is there now', async () => {
  const trainings = [{ ...TRAINING, reachedAt: '2026-11-01T12:00:00.000Z' }]
  own = { personId: 'anna', name: 'Anna', isShared: true, trainings }
  const { user } = renderApp(<MyPage />, { visitor: 'signedOut' })
  const confirm = await screen.findByRole('button', { name: 'Confirm' })
  // In another tab.
  own = { personId: 'bo', name: 'Bo', isShared: true, trainings }
  await user.click(confirm)
  // The message itself, and what a screen reader is told.
  expect(await screen.findAllByText(/Look at it as it is now, then confirm/)).not.toHaveLength(0)
  expect(await screen.findByText('Bo')).toBeVisible()
})

it('keeps a confirmation that is made without a network, and sends it once', async () => {
  const trainings = [{ ...TRAINING, reachedAt: '2026-11-01T12:00:00.000Z' }]
  own = { personId: 'anna', name: 'Anna', isShared: false, trainings }
  const { user } = renderApp(<MyPage />, { visitor: 'signedOut' })
  const confirm = await screen.findByRole('button', { name: 'Confirm' })
  isOffline = true
  const beforeMs = Date.now()
  await user.click(confirm)
  expect(await screen.findByText(/^Confirmed on this device/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull()
  expect(screen.getByText(/^Confirmed on this device/)).toHaveFocus()
  expect(screen.queryByRole('status')).toBeNull()
  // The page is opened from its copy meanwhile, still without a network.
  cleanup()
  document.documentElement.dataset['kept'] = 'copy'
  onTestFinished(() => void delete document.documentElement.dataset['kept'])
  renderApp(<MyPage />, { visitor: 'loading' })
  expect(await screen.findByText(/^Confirmed on this device/)).toBeVisible()
  expect(screen.getByText(/^Confirmed on this device/)).not.toHaveFocus()
  expect(sent).toEqual([])
  isOffline = false
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(sent).toHaveLength(1))
  const [path, body = ''] = sent[0]?.split(' ') ?? []
  expect(path).toBe('/api/my/trainings/m1/confirm')
  const { offlineAtMs, ...shown } = JSON.parse(body) as { offlineAtMs: number }
  expect(shown).toEqual({ personId: 'anna', version: TRAINING.version, language: 'en' })
  expect(offlineAtMs).toBeGreaterThanOrEqual(beforeMs)
  await waitFor(() => expect(listStored('adapt_confirmed:')).toEqual([]))
  window.dispatchEvent(new Event('online'))
  expect(await screen.findByRole('button', { name: 'Confirm' })).toBeVisible()
  expect(sent).toHaveLength(1)
})

it('sends what one person has confirmed for nobody else, and says why it was not taken', async () => {
  const kept = { linkId: 'm1', personId: 'anna', version: TRAINING.version, language: 'en', offlineAtMs: 5 }
  localStorage.setItem(`adapt_confirmed:anna:m1:${kept.version}`, JSON.stringify(kept))
  const trainings = [{ ...TRAINING, reachedAt: '2026-11-01T12:00:00.000Z' }]
  own = { personId: 'bo', name: 'Bo', isShared: false, trainings }
  renderApp(<MyPage />, { visitor: 'signedOut' })
  expect(await screen.findByRole('button', { name: 'Confirm' })).toBeVisible()
  window.dispatchEvent(new Event('online'))
  expect(listStored('adapt_confirmed:')).toHaveLength(1)
  cleanup()
  own = { personId: 'anna', name: 'Anna', isShared: false, trainings }
  const answer = fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
    url.endsWith('/confirm') ? Response.json(CONFLICT, { status: 409 }) : answer(url, init),
  )
  renderApp(<MyPage />, { visitor: 'signedOut' })
  expect(await screen.findAllByText(/Look at it as it is now, then confirm/)).not.toHaveLength(0)
  expect(listStored('adapt_confirmed:')).toEqual([])
  expect(sent).toEqual([])
})

it('asks on a shared device who is there, and forgets them for the next person', async () => {
  own = null
  localStorage.setItem('adapt_learned:anyone:m1', '{}')
  window.history.replaceState(null, '', '/my#g-secret')
  const { user } = renderApp(<MyPage />, { visitor: 'signedOut' })
  const field = await screen.findByLabelText('Your code')
  await user.type(field, 'ab2c3d4e')
  isOffline = true
  await user.click(screen.getByRole('button', { name: 'Begin' }))
  expect(await screen.findByText(/^Adapt cannot be reached/)).toHaveAttribute('role', 'alert')
  expect(field).toHaveFocus()
  isOffline = false
  await user.click(screen.getByRole('button', { name: 'Begin' }))
  expect(await screen.findByText('Bo')).toBeVisible()
  expect(sent).toContain('/api/my/code {"key":"g-secret","code":"ab2c3d4e"}')
  expect(readPerson()).toBe('bo')
  expect(localStorage.getItem('adapt_my_page')).toBeNull()
  isOffline = true
  await user.click(screen.getByRole('button', { name: 'Next person' }))
  // The toast is drawn anew right after it has come.
  await screen.findByText('Adapt cannot be reached. Check your connection and try again.')
  expect(screen.getByText('Bo')).toBeVisible()
  isOffline = false
  await user.click(screen.getByRole('button', { name: 'Next person' }))
  expect(await screen.findByLabelText('Your code')).toHaveValue('')
  expect(localStorage.getItem('adapt_learned:anyone:m1')).toBeNull()
  expect(readPerson()).toBeNull()
})

it('asks before a link makes the device of one person that of another, also a link that is opened in the same tab', async () => {
  window.history.replaceState(null, '', '/my#p-secret')
  const { user } = renderApp(<MyPage />, { visitor: 'signedOut' })
  expect(await screen.findByText('Anna Berg')).toBeVisible()
  window.location.hash = '#p-bo'
  await user.click(await screen.findByRole('button', { name: 'Continue as Anna Berg' }))
  expect(await screen.findByText('Anna Berg')).toBeVisible()
  expect(sent.at(-1)).toBe('/api/my/open {"key":"p-bo"}')
  window.location.hash = '#p-other'
  await waitFor(() => expect(sent.at(-1)).toContain('p-other'))
  window.location.hash = '#p-bo'
  own = { personId: 'bo', name: 'Bo', isShared: false, trainings: [] }
  await user.click(await screen.findByRole('button', { name: 'Continue as Bo' }))
  expect(await screen.findByText('Bo')).toBeVisible()
  expect(sent.at(-1)).toBe('/api/my/open {"key":"p-bo","replaces":true}')
  await user.click(screen.getByRole('button', { name: 'Not you?' }))
  expect(await screen.findByRole('heading', { name: 'Open your personal link again' })).toBeVisible()
  expect(sent.at(-1)).toContain('/api/my/leave')
})

it('says what to do where the device is nobody’s', async () => {
  own = null
  renderApp(<MyPage />, { visitor: 'signedOut' })
  expect(await screen.findByRole('heading', { name: 'Open your personal link again' })).toBeVisible()
})

it('shows without a network the page that was kept to its own link, and to no other', async () => {
  const open = (key: string) => {
    cleanup()
    window.history.replaceState(null, '', `/my#${key}`)
    renderApp(<MyPage />, { visitor: 'signedOut' })
  }
  open('p-secret')
  expect(await screen.findByText('Anna Berg')).toBeVisible()
  expect(localStorage.getItem('adapt_my_page')).toContain('Change the filter')
  expect(localStorage.getItem('adapt_my_page')).not.toContain('p-secret')
  isOffline = true
  document.documentElement.dataset['kept'] = 'copy'
  onTestFinished(() => void delete document.documentElement.dataset['kept'])
  for (const key of ['p-bo', 'g-secret']) {
    open(key)
    expect(await screen.findByText('Adapt cannot be reached. Check your connection and try again.')).toBeVisible()
    expect(screen.queryByText('Anna Berg')).toBeNull()
  }
  open('p-secret')
  expect(await screen.findByText(/This is the copy on this device/)).toBeVisible()
  expect(screen.getByText('Anna Berg')).toBeVisible()
})

it('keeps nothing of the last person once the link of another one was opened, also where their page does not come', async () => {
  renderApp(<MyPage />, { visitor: 'signedOut' })
  expect(await screen.findByText('Anna Berg')).toBeVisible()
  expect(localStorage.getItem('adapt_my_page')).toContain('Anna Berg')
  cleanup()
  own = { personId: 'bo', name: 'Bo Lind', isShared: false, trainings: [] }
  const answer = fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.startsWith('/api/my?')) throw new TypeError('Failed to fetch')
    return answer(url, init)
  })
  window.history.replaceState(null, '', '/my#p-new')
  renderApp(<MyPage />, { visitor: 'signedOut' })
  await waitFor(() => expect(readPerson()).toBe('bo'))
  expect(localStorage.getItem('adapt_my_page')).not.toContain('Anna Berg')
  expect(screen.queryByText('Anna Berg')).toBeNull()
})

it('shows without a network what it has shown last, says so, and is up to date once there is one', async () => {
  const { user } = renderApp(<MyPage />, { visitor: 'signedOut' })
  expect(await screen.findByText('Anna Berg')).toBeVisible()
  cleanup()
  isOffline = true
  document.documentElement.dataset['kept'] = 'copy'
  onTestFinished(() => void delete document.documentElement.dataset['kept'])
  renderApp(<MyPage />, { visitor: 'loading' })
  expect(await screen.findByText(/This is the copy on this device, as it was just now/)).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Change the filter' })).toBeVisible()
  expect(screen.getAllByText('Not kept on this device: it needs a network.')).toHaveLength(2)
  expect(screen.queryByRole('link', { name: 'Begin' })).toBeNull()
  expect(screen.queryByText(/What you watch now/)).toBeNull()
  isOffline = false
  await user.click(screen.getByRole('button', { name: 'Not you?' }))
  expect(await screen.findByRole('heading', { name: 'Open your personal link again' })).toBeVisible()
  expect(localStorage.getItem('adapt_my_page')).toBeNull()
})

it('leads without a network to the trainings that this device keeps, and to no other', async () => {
  const caches = new FakeCaches()
  const copy = { path: TRAINING.path, moduleId: TRAINING.moduleId, keptAtMs: 1 }
  await (await caches.open('adapt_kept')).put(copy.path, Response.json(copy))
  vi.stubGlobal('caches', caches)
  const other = { ...DONE, path: '/share/m2' }
  own = { personId: 'anna', name: 'Anna Berg', isShared: false, trainings: [TRAINING, other] }
  renderApp(<MyPage />, { visitor: 'signedOut' })
  expect(await screen.findByRole('link', { name: 'Watch again' })).toHaveAttribute('href', '/share/m2')
  cleanup()
  isOffline = true
  document.documentElement.dataset['kept'] = 'copy'
  onTestFinished(() => void delete document.documentElement.dataset['kept'])
  renderApp(<MyPage />, { visitor: 'loading' })
  expect(await screen.findByText(/What you watch now is kept on this device and sent later/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Begin' })).toHaveAttribute('href', '/share/m1')
  expect(screen.queryByRole('link', { name: 'Watch again' })).toBeNull()
  expect(screen.getAllByText('Not kept on this device: it needs a network.')).toHaveLength(1)
})

it('shows supervisors a code of exactly this person and training, where one has to sign it off', async () => {
  const signedOff = { ...TRAINING.rule, signedOff: true }
  own = {
    personId: 'anna',
    name: 'Anna Berg',
    isShared: false,
    trainings: [
      TRAINING,
      { ...TRAINING, moduleId: 'm3', title: 'Lock out', rule: signedOff },
      { ...DONE, rule: signedOff },
    ],
  }
  const { user } = renderApp(<MyPage />, { visitor: 'signedOut' })
  const button = await screen.findByRole('button', { name: 'Show this to your supervisor' })
  expect(button).toHaveAttribute('aria-expanded', 'false')
  expect(screen.queryByRole('img', { name: 'Show this to your supervisor' })).toBeNull()
  await user.click(button)
  const code = screen.getByRole('img', { name: 'Show this to your supervisor' })
  expect(code).toBeVisible()
  expect(screen.getByText(/^A supervisor scans this code/)).toBeVisible()
  const drawn = code.innerHTML
  cleanup()
  render(<ScanCode text={`${window.location.origin}/team/sign-off/anna/m3`} title="Show this to your supervisor" />)
  expect(drawn).toBe(screen.getByRole('img').innerHTML)
})
