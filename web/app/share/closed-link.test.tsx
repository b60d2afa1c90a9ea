import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ClosedLink } from './closed-link.tsx'
import { ShareApp } from './share-app.tsx'

const reload = vi.fn()
let status = 403
const sent: unknown[] = []

beforeEach(() => {
  sent.length = 0
  reload.mockClear()
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    sent.push([path, JSON.parse(body as string)])
    return new Response('{}', { status })
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const openPage = (first: object) =>
  render(<ShareApp moduleId="m1" look="page" first={{ module: null, look: 'page', status: 410, ...first }} />)

describe('ClosedLink', () => {
  it('asks for the password, says when it is wrong, and opens the page when it is right', async () => {
    const user = userEvent.setup()
    render(<ClosedLink linkId="m1" closed={undefined} reload={reload} />)
    const field = await screen.findByLabelText('Password')
    await user.type(field, 'Werkbank 6{Enter}')
    expect(await screen.findByText('This is not the password. Please look at it again.')).toBeVisible()
    expect(field).toHaveAccessibleDescription('This is not the password. Please look at it again.')
    expect(reload).not.toHaveBeenCalled()
    status = 200
    await user.type(field, 'Werkbank 7{Enter}')
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(sent.at(-1)).toEqual(['/api/share/m1/unlock', { password: expect.stringContaining('Werkbank 7') }])
  })

  it.each([
    ['link_ended', 'This link has ended'],
    ['link_replaced', 'This link was replaced'],
  ])('says of a link that opens nothing any more (%s) whom to ask', async (closed, title) => {
    openPage({ closed })
    expect(await screen.findByText(title)).toBeVisible()
    expect(screen.getByText('Please ask the person who sent it.')).toBeVisible()
    expect(sent).toEqual([])
  })

  it('is the page of a link that needs a password', async () => {
    openPage({ status: 403 })
    expect(await screen.findByRole('heading', { name: 'This link needs a password' })).toBeVisible()
  })
})
