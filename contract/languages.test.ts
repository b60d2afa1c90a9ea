import { expect, it } from 'vitest'
import { directionOf, findLanguage, interfaceOf, REGIONAL_TAGS, regionalTagOf } from './languages.ts'

it('finds the language that a tag belongs to, in any case and with any region', () => {
  expect(['es-MX', 'DE_at', 'th', 'ja', '', null, undefined].map(findLanguage)).toEqual([
    'es',
    'de',
    'th',
    null,
    null,
    null,
    null,
  ])
})

it('adds a region to a tag that has none', () => {
  expect(['pt', 'pt-BR', 'ja'].map(regionalTagOf)).toEqual([REGIONAL_TAGS.pt, 'pt-BR', 'ja'])
})

it('speaks English to people whose language the app does not speak', () => {
  expect(['zh-TW', 'it', 'ja', null].map(interfaceOf)).toEqual(['zh', 'en', 'en', 'en'])
})

it('writes Arabic from right to left, and all others from left to right', () => {
  expect(['ar', 'en', null].map(directionOf)).toEqual(['rtl', 'ltr', 'ltr'])
})
