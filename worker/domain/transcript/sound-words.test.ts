import { expect, it } from 'vitest'
import { hasHappening, hasSound, hasThing, namesPart, saysMore } from './sound-words.ts'

it.each([
  [
    'a sound',
    hasSound,
    ['Music playing', 'sanfte Musik', 'МУЗЫКА', 'clears throat', 'off-screen', 'तालियाँ'],
    ['musket', 'a resound', 'the throat'],
  ],
  ['a thing', hasThing, ['Water', 'die Tür', 'الماء'], ['waterfall', 'cartoon', '']],
  [
    'a happening',
    hasHappening,
    ["porte s'ouvre", 'engine starts', 'rattling', 'açılıyor'],
    ['sing', 'starter', 'ingot'],
  ],
  [
    'more than a sound',
    saysMore,
    ['see below', 'optional', 'e.g. music', 'wenn nötig', 'page 3'],
    ['music', 'notebook'],
  ],
  ['a part', namesPart, ['Sound Settings', 'static IP'], ['masked', 'sound']],
] as const)('knows %s by whole words', (_, has, those, others) => {
  expect(those.filter((text) => !has(text))).toEqual([])
  expect(others.filter((text) => has(text))).toEqual([])
})
