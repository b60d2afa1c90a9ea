import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import themeScript from '../public/theme.js?raw'
import { ThemeButton, ThemeField } from './theme-select.tsx'

const root = document.documentElement
/** What index.html loads before anything is painted. */
// oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- runs the file as the browser does
const runThemeScript = new Function(themeScript) as () => void

afterEach(() => {
  localStorage.clear()
  delete root.dataset['theme']
})

describe('the theme', () => {
  it('follows the system until a theme is chosen', () => {
    runThemeScript()
    render(<ThemeButton />)
    expect(screen.getByRole('combobox', { name: 'Theme' })).toHaveDisplayValue('System')
    expect(root).not.toHaveAttribute('data-theme')
  })

  it('is shown at once, wherever it is chosen, and found again before the next page is painted', async () => {
    render(
      <>
        <ThemeButton />
        <ThemeField />
      </>,
    )
    await userEvent.selectOptions(screen.getAllByRole('combobox', { name: 'Theme' })[0] as HTMLElement, 'Dark')
    expect(root).toHaveAttribute('data-theme', 'dark')
    expect(screen.getAllByRole('combobox')[1]).toHaveDisplayValue('Dark')
    delete root.dataset['theme']
    runThemeScript()
    expect(root).toHaveAttribute('data-theme', 'dark')
  })

  it('goes back to the system', async () => {
    localStorage.setItem('adapt_theme', 'light')
    runThemeScript()
    render(<ThemeField />)
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Theme' }), 'System')
    expect(root).not.toHaveAttribute('data-theme')
    expect(localStorage.getItem('adapt_theme')).toBeNull()
  })

  it('follows a choice in another tab', () => {
    render(<ThemeField />)
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'adapt_theme', newValue: 'dark' })))
    expect(screen.getByRole('combobox')).toHaveDisplayValue('Dark')
  })

  it('ignores a value that it does not know', () => {
    localStorage.setItem('adapt_theme', 'sepia')
    runThemeScript()
    expect(root).not.toHaveAttribute('data-theme')
  })
})
