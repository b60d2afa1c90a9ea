import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeModule } from '#contract/testing/examples.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { ShareDialog } from './share-dialog.tsx'

const PATCH = 'PATCH /api/modules/m1'
const LINK = 'http://localhost:3000/share/m1'

function Opener({ change }: { change: Parameters<typeof makeModule>[0] }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open it
      </button>
      <ShareDialog module={isOpen ? makeModule(change) : null} onClose={() => setIsOpen(false)} />
    </>
  )
}

async function open(
  change: Parameters<typeof makeModule>[0] = {},
  answer: (body: unknown) => unknown = () => ({ success: true }),
) {
  const api = fakeApi({ [PATCH]: answer })
  const app = renderApp(<Opener change={change} />, { callApi: api.callApi })
  await app.user.click(screen.getByRole('button', { name: 'Open it' }))
  return { ...app, calls: api.calls }
}

const audience = () => screen.getByRole('switch', { name: 'Anyone with the link can view' })

afterEach(() => vi.useRealTimers())

describe('ShareDialog', () => {
  it('shows the link as a QR code of 200 px with medium error correction', {
    tags: ['spec-2.44', 'spec-9.22'],
  }, async () => {
    await open()
    const code = screen.getByRole('img', { name: 'QR code of the link' })
    expect(code).toHaveAttribute('width', '200')
    expect(code).toHaveAttribute('height', '200')
    // 25 characters take a code of version 3 at level M: 29 squares and four of white on each side.
    expect(code).toHaveAttribute('viewBox', '0 0 37 37')
  })

  it('shows the link read-only, with a note that no login is required', async () => {
    await open()
    const link = screen.getByRole('textbox', { name: 'Link' })
    expect(link).toHaveValue(LINK)
    expect(link).toHaveAttribute('readonly')
    expect(link).toHaveAccessibleDescription('Anyone with this link can watch. No login required.')
  })

  it('offers a frame for other sites, which no title breaks out of, as wide as its place', async () => {
    const title = '"><script>alert(1)</script> & more'
    const { user } = await open({ title })
    const code = screen.getByRole('textbox', { name: 'Embed code' })
    expect(code).toHaveAttribute('readonly')
    const page = new DOMParser().parseFromString((code as HTMLTextAreaElement).value, 'text/html')
    expect(page.body.childElementCount).toBe(1)
    const frame = page.querySelector('iframe')
    expect(frame?.getAttribute('src')).toBe('http://localhost:3000/embed/m1')
    expect(frame?.getAttribute('title')).toBe(title)
    expect(frame?.style.width).toBe('100%')
    await user.click(screen.getByRole('button', { name: 'Copy: Embed code' }))
    expect(await navigator.clipboard.readText()).toBe((code as HTMLTextAreaElement).value)
    await user.click(audience())
    expect(code).toHaveAccessibleDescription('The frame says that there is nothing while sharing is off.')
  })

  it('copies the link and says Copied! for two seconds', { tags: ['spec-2.44', 'spec-9.22'] }, async () => {
    const { user } = await open()
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe(LINK)
    expect(await screen.findByRole('button', { name: 'Copied!' })).toBeVisible()
    await act(() => vi.advanceTimersByTimeAsync(1_900))
    expect(screen.getByRole('button', { name: 'Copied!' })).toBeVisible()
    await act(() => vi.advanceTimersByTimeAsync(200))
    expect(screen.getByRole('button', { name: 'Copy' })).toBeVisible()
  })

  it('turns sharing off at once, and says what that means', async () => {
    const { user, calls } = await open({ organization: 'active' }, () => new Promise(() => {}))
    await user.click(audience())
    expect(audience()).not.toBeChecked()
    expect(screen.getByRole('img', { name: 'QR code of the link, not working while sharing is off' })).toBeVisible()
    expect(screen.getByText('Not working')).toBeVisible()
    expect(screen.getByText('The link and the code lead nowhere while sharing is off.')).toBeVisible()
    expect(audience()).toHaveAccessibleDescription(/Only you and people of your organization can open it/)
    await waitFor(() => expect(calls).toEqual([PATCH]))
  })

  it.each([
    ['only the owner, where there is no organization', null, /^Only you can open it\./],
    ['members, who have it active', 'active', /^Only you and people of your organization can open it\./],
    ['the organization as its own, where another is active', 'other', /^Only you and people of its organization can/],
  ] as const)('names %s as those who can open it while sharing is off', async (_, organization, text) => {
    await open({ organization, shared: false })
    expect(audience()).toHaveAccessibleDescription(text)
    const dialog = screen.getByRole('dialog')
    if (organization !== 'active') expect(dialog).not.toHaveTextContent(/your organization/i)
    if (organization === null) expect(dialog).not.toHaveTextContent(/organization/i)
  })

  it('turns it on again', async () => {
    const { user } = await open({ shared: false })
    expect(audience()).not.toBeChecked()
    await user.click(audience())
    expect(audience()).toBeChecked()
    expect(screen.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  })

  it('reverts the switch and shows the error when the server refuses', async () => {
    const { user } = await open({}, () => {
      throw new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' })
    })
    await user.click(audience())
    expect(await screen.findByText('Failed to change sharing')).toBeInTheDocument()
    expect(screen.getByText('Busy.')).toBeInTheDocument()
    await waitFor(() => expect(audience()).toBeChecked())
  })

  it('lets people with the link ask the tutor, and sets how much a model may answer', async () => {
    const sent: unknown[] = []
    const { user } = await open({}, (body) => {
      sent.push(body)
      return { success: true }
    })
    const tutor = screen.getByRole('switch', { name: 'People with the link can ask the tutor' })
    expect(tutor).not.toBeChecked()
    await user.click(tutor)
    const perDay = await screen.findByRole('spinbutton', { name: 'Answers a day that a model may write' })
    expect(perDay).toHaveValue(20)
    await user.clear(perDay)
    await user.type(perDay, '0{Tab}')
    await user.click(tutor)
    await waitFor(() =>
      expect(sent).toEqual([{ linkAnswersPerDay: 20 }, { linkAnswersPerDay: 0 }, { linkAnswersPerDay: null }]),
    )
  })

  it('keeps the sum where what is typed is no sum', async () => {
    const { user, calls } = await open({ linkAnswersPerDay: 5 })
    const perDay = await screen.findByRole('spinbutton', { name: 'Answers a day that a model may write' })
    await user.clear(perDay)
    await user.type(perDay, '9999{Tab}')
    expect(perDay).toHaveValue(5)
    expect(calls).toEqual([])
  })

  it('lets a viewer hand the link on, and change nothing', async () => {
    await open({ role: 'viewer' })
    expect(screen.queryByRole('switch')).toBeNull()
    expect(screen.getByRole('button', { name: 'Copy' })).toBeVisible()
  })

  it('says that there is nothing to watch where processing failed', async () => {
    await open({ status: 'FAILED' })
    expect(screen.getByText('There is nothing to watch yet, because processing failed.')).toBeVisible()
  })

  it('hands the code out as a file that stands alone, in the size of a print', async () => {
    const files: Blob[] = []
    const names: string[] = []
    URL.createObjectURL = (file) => {
      files.push(file as Blob)
      return 'blob:x'
    }
    URL.revokeObjectURL = () => {}
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    const { user } = await open({ title: 'Change the filter: Kärcher!' })
    await user.click(screen.getByRole('button', { name: /^SVG/ }))
    expect(names).toEqual(['change-the-filter-kärcher-qr.svg'])
    const svg = new DOMParser().parseFromString(await (files[0] as Blob).text(), 'image/svg+xml').documentElement
    expect(svg.namespaceURI).toBe('http://www.w3.org/2000/svg')
    expect(svg.getAttribute('width')).toBe('1200')
    vi.restoreAllMocks()
  })

  it('offers what the device shares with, and takes a closed sheet for no failure', async () => {
    const share = vi.fn().mockRejectedValue(new DOMException('closed', 'AbortError'))
    Object.assign(navigator, { share })
    const { user } = await open({ title: 'Pump' })
    await user.click(screen.getByRole('button', { name: 'Send…' }))
    expect(share).toHaveBeenCalledWith({ title: 'Pump', url: LINK })
    expect(screen.queryByText('This device could not share the link')).toBeNull()
    Reflect.deleteProperty(navigator, 'share')
  })

  it('gives the focus back to what opened it', async () => {
    const { user } = await open()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('button', { name: 'Open it' })).toHaveFocus()
  })
})
