import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { showLargeImage } from './show-large-image.ts'

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.dispatchEvent(new Event('close'))
  }
})

test('shows an image over the page, and enlarges it by keys, buttons and a double tap', () => {
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

test('asks once for the widest image, also where it cannot be loaded', async () => {
  const asked: string[] = []
  HTMLImageElement.prototype.decode = function decode(this: HTMLImageElement) {
    asked.push(this.src)
    return Promise.reject(new DOMException('It is not there.', 'EncodingError'))
  }
  showLargeImage('https://adapt.test/step-0-960')
  for (let press = 0; press < 3; press += 1) {
    fireEvent.click(screen.getByRole('button', { name: 'Larger' }))
    await Promise.resolve()
  }
  expect(asked).toEqual(['https://adapt.test/step-0-1600w'])
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
})
