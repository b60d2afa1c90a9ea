import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showLargeImage } from './show-large-image.ts'

test('shows an image over the page, and enlarges it by keys, buttons and a double tap', () => {
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.dispatchEvent(new Event('close'))
  }
  showLargeImage('https://adapt.test/large')
  const dialog = screen.getByRole('dialog', { name: 'Image of the step' })
  const image = dialog.querySelector('img') as HTMLImageElement
  expect(image.src).toBe('https://adapt.test/large')
  fireEvent.keyDown(dialog, { key: '+' })
  fireEvent.click(screen.getByRole('button', { name: 'Larger' }))
  expect(image.style.transform).toContain('scale(2.25)')
  fireEvent.click(screen.getByRole('button', { name: 'Smaller' }))
  fireEvent.keyDown(dialog, { key: '-' })
  expect(image.style.transform).toBe('')
  fireEvent.doubleClick(image)
  expect(image.style.transform).toContain('scale(2.5)')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})
