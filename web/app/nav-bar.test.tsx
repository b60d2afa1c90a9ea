import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Visitor } from '#web/features/auth/visitor.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { NavBar } from './nav-bar.tsx'

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('fetch', async () => new Response('{}'))
})

afterEach(() => vi.unstubAllGlobals())

function open(visitor: Visitor = 'signedOut', organization?: string) {
  const app = renderApp(
    <>
      <NavBar />
      <button>On the page</button>
    </>,
    { visitor, ...(organization && { organization }), elsewhere: { '/upload': 'Upload page' } },
  )
  const toggle = () => screen.getByRole('button', { name: /menu/ })
  const menu = () => screen.queryByRole('navigation', { name: 'Menu' })
  return { ...app, toggle, menu }
}

describe('NavBar', () => {
  it('leads to every page, and strangers to sign in or get started', { tags: 'spec-2.14' }, () => {
    open()
    const links = within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Adapt', '/'],
      ['Home', '/'],
      ['Dashboard', '/dashboard'],
      ['Upload', '/upload'],
      ['Sign In', '/sign-in'],
      ['Get Started', '/sign-up'],
    ])
  })

  it('leads members of an organization to their team', () => {
    open('signedIn', 'org_1')
    expect(screen.getByRole('link', { name: 'Team' })).toHaveAttribute('href', '/team')
  })

  it('NavBar neither asks a person to sign in who has to choose an organization, nor offers them an account menu', async () => {
    const { user, toggle } = open('needsOrganization')
    await user.click(toggle())
    expect(screen.queryByRole('link', { name: 'Sign In' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Open user menu' })).toBeNull()
  })

  it('opens the menu of small screens and closes it on a choice', { tags: ['spec-2.16', 'spec-4.17'] }, async () => {
    const { user, toggle, menu } = open()
    expect(toggle()).toHaveAttribute('aria-expanded', 'false')
    await user.click(toggle())
    const opened = menu()
    expect(opened).toBeVisible()
    expect(toggle()).toHaveAttribute('aria-controls', opened?.id)
    await user.click(within(opened as HTMLElement).getByRole('link', { name: 'Home' }))
    expect(menu()).toBeNull()
  })

  it('closes the menu with Escape and gives the focus back', { tags: 'spec-4.17' }, async () => {
    const { user, toggle, menu } = open()
    await user.click(toggle())
    await user.keyboard('{Escape}')
    expect(menu()).toBeNull()
    expect(toggle()).toHaveFocus()
  })

  it('gives the focus back when the choice leads to the page that is open', async () => {
    const { user, toggle, menu } = open()
    await user.click(toggle())
    await user.click(within(menu() as HTMLElement).getByRole('link', { name: 'Home' }))
    expect(toggle()).toHaveFocus()
  })

  it('closes the menu when the keyboard moves on to the page', async () => {
    const { user, toggle, menu } = open()
    await user.click(toggle())
    screen.getAllByRole('link', { name: 'Sign In' }).at(-1)?.focus()
    await user.tab()
    expect(menu()).toBeVisible()
    await user.tab()
    expect(screen.getByRole('button', { name: 'On the page' })).toHaveFocus()
    expect(menu()).toBeNull()
  })

  it('lets people choose the theme, in the bar and in the menu', async () => {
    const { user, toggle, menu } = open()
    expect(screen.getByRole('combobox', { name: 'Theme' })).toHaveDisplayValue('System')
    await user.click(toggle())
    expect(within(menu() as HTMLElement).getByRole('combobox', { name: 'Theme' })).toBeVisible()
  })

  it('advises on video uploads: briefly in the bar, in full in the menu', async () => {
    const { user, toggle, menu } = open()
    expect(await screen.findByText('Fast')).toBeVisible()
    await user.click(toggle())
    const opened = within(menu() as HTMLElement)
    expect(opened.getByText('Excellent connection - upload large videos freely')).toBeVisible()
    expect(opened.getByText('Last tested: Just now')).toBeVisible()
    await user.click(opened.getByRole('button', { name: 'Test the connection again' }))
    expect(menu()).toBeVisible()
  })
})
