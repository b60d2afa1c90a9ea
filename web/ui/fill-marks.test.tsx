import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fillMarks } from './fill-marks.tsx'

test('marked parts of a text become elements, in the order of the text', () => {
  const marks = { link: (inner: string) => <a href="/kept">{inner}</a>, key: (inner: string) => <kbd>{inner}</kbd> }
  const { container } = render(<p>{fillMarks('Press <key>S</key>, or open <link>the list</link>.', marks)}</p>)
  expect(container.innerHTML).toBe('<p>Press <kbd>S</kbd>, or open <a href="/kept">the list</a>.</p>')
})

test('a text without marks, and a mark that is not filled, stay as they are', () => {
  const { container } = render(<p>{fillMarks('Less <b>than</b> that', {})}</p>)
  expect(container.textContent).toBe('Less <b>than</b> that')
})
