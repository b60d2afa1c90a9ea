import { describe, expect, test, vi } from 'vitest'
import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import { changeSettings, parseSettings, RATES, readSettings } from './player-settings.ts'

const FIRST = parseSettings(null)

test('the fastest rate is the one that progress is credited by', () => {
  expect(Math.max(...RATES)).toBe(PLAYBACK_RATE_MAX)
})

describe('parseSettings', () => {
  test('begins at normal speed, with audio and keys, and without captions', () => {
    expect(FIRST).toEqual({
      rate: 1,
      volume: 1,
      isMuted: false,
      hasCaptions: false,
      captionSize: 'medium',
      hasKeys: true,
      pausesAtStepEnds: false,
      isFastInPauses: false,
    })
  })

  test.each([
    '',
    'nonsense',
    'null',
    '7',
    '[]',
    '{"rate":3,"volume":-1,"hasKeys":"no"}',
    '{"volume":"1"}',
    '{"captionSize":"toString"}',
  ])('makes the first settings of %j', (text) => {
    expect(parseSettings(text)).toEqual(FIRST)
  })

  test('reads what it wrote', () => {
    const chosen = {
      ...FIRST,
      rate: 1.75,
      volume: 0.3,
      hasCaptions: true,
      captionSize: 'large',
      hasKeys: false,
    }
    expect(parseSettings(JSON.stringify(chosen))).toEqual(chosen)
  })
})

describe('changeSettings', () => {
  test('lasts for the page where the browser keeps nothing', () => {
    const blocked = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    changeSettings({ rate: 1.5 })
    expect(readSettings().rate).toBe(1.5)
    blocked.mockRestore()
    changeSettings({ rate: 1.25 })
    expect(parseSettings(localStorage.getItem('adapt_player')).rate).toBe(1.25)
  })
})
