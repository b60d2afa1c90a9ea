import { afterEach, expect, it } from 'vitest'
import { sparesData } from './connection.ts'

function tell(connection: object | undefined): void {
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true })
}

afterEach(() => tell(undefined))

it.each([
  ['nothing is told', undefined, false],
  ['a fast line', { saveData: false, type: 'wifi', effectiveType: '4g' }, false],
  ['data saving', { saveData: true, effectiveType: '4g' }, true],
  ['mobile data, however fast', { type: 'cellular', effectiveType: '4g' }, true],
  ['a slow line', { effectiveType: '3g' }, true],
])('spares data, or not, where the browser tells of: %s', (_, connection, expected) => {
  tell(connection)
  expect(sparesData()).toBe(expected)
})
