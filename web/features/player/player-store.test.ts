import { expect, test, vi } from 'vitest'
import { oneByOne } from './player-store.ts'

function openSwitch() {
  const asked: PromiseWithResolvers<void>[] = []
  const press = oneByOne(() => {
    const one = Promise.withResolvers<void>()
    asked.push(one)
    return one.promise
  })
  return { asked, press }
}

test('runs a press at once, and a second one after it', async () => {
  const { asked, press } = openSwitch()
  void press()
  const second = press()
  expect(asked).toHaveLength(1)
  asked[0]?.resolve()
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  asked[1]?.resolve()
  await second
  void press()
  expect(asked).toHaveLength(3)
})

test('handles the next press after one that the browser has refused', async () => {
  const { asked, press } = openSwitch()
  const refused = press()
  void press()
  asked[0]?.reject(new Error('not allowed'))
  await expect(refused).rejects.toThrow('not allowed')
  await vi.waitFor(() => expect(asked).toHaveLength(2))
})
