import { describe, expect, it } from 'vitest'
import type { Message } from '../web/build/messages.ts'
import { compareLocales, findDuplicates, findGaps, findOpenTexts } from './interface-texts.ts'

const find = (code: string) => findOpenTexts('page.tsx', code, () => false).map(({ text }) => text)

describe('findOpenTexts', () => {
  it.each([
    ['text of an element', 'const a = <p>Save line</p>', 'Save line'],
    ['one word', 'const a = <b>undo</b>', 'undo'],
    ['a name for screen readers', 'const a = <nav aria-label="main" />', 'main'],
    ['a property of ours', 'const a = <Notice title="Nothing is kept" />', 'Nothing is kept'],
    ['a message', 'toast.error(`Failed to save ${name}`)', 'Failed to save {}'],
    ['an error that is shown', "throw new Error('The file is empty.')", 'The file is empty.'],
    ['a label of a table', "const LABELS = { a: 'Very large' }", 'Very large'],
  ])('finds %s', (_, code, text) => {
    expect(find(code)).toEqual([text])
  })

  it.each([
    ['a message of the catalogue', 'const a = <p title={m.save_line()}>{m.save_line()}</p>'],
    ['class names and ids', 'const a = <p className="text-sm Inter" id="Save line" />'],
    ['a line for operators', "console.warn('The training was not kept', error)"],
    ['an import and a type', "import a from 'A b c.ts'\ntype B = 'Some text here'"],
    ['signs', 'const a = <p> · 5 × – </p>'],
    ['code in small letters', "const a = 'audio/mp4; codecs'"],
  ])('leaves %s', (_, code) => {
    expect(find(code)).toEqual([])
  })
})

describe('findGaps', () => {
  const hello: Message = { key: 'hello', values: ['name'], text: 'Hello {name}', forms: { '': 'Hello {name}' } }
  const forms = { 'countPlural=one': '{count} step', 'countPlural=other': '{count} steps' }
  const steps: Message = { key: 'steps', values: ['count'], text: '{count} steps', forms }

  it('finds nothing where a language has all texts, in all of its plural forms', () => {
    const polish = { ...forms, 'countPlural=few': '{count} kroki', 'countPlural=many': '{count} kroków' }
    expect(findGaps([hello, steps], [hello, { ...steps, forms: polish }], 'pl')).toEqual([])
    expect(findGaps([steps], [{ ...steps, forms: { ...forms, 'countPlural=one': 'krok' } }], 'de')).toEqual([])
  })

  it.each([
    ['a text that is not there', [], ['hello: not translated']],
    ['a value that is lost', [{ ...hello, forms: { '': 'Hallo' } }], ['hello: lacks {name}']],
    [
      'a value that is not given',
      [{ ...hello, forms: { '': 'Hallo {nom} {name}' } }],
      ['hello: has {nom}, which is not given'],
    ],
    ['an empty text', [{ ...hello, forms: { '': ' ' } }], ['hello: empty', 'hello: lacks {name}']],
    ['a text that English does not have', [hello, { ...hello, key: 'bye' }], ['bye: not in English']],
  ])('finds %s', (_, other, gaps) => {
    expect(findGaps([hello], other, 'de')).toEqual(gaps)
  })

  it('finds a plural form that a language needs', () => {
    expect(findGaps([steps], [steps], 'pl')).toEqual(['steps: has no form for "few"', 'steps: has no form for "many"'])
  })
})

describe('findDuplicates', () => {
  it('finds a text that stands in a catalogue twice, and no form of a plural', () => {
    const plural = '  "b": [\n    {\n      "one": "x",\n      "one": "y"\n    }\n  ]'
    expect(findDuplicates(`{\n  "a": "1",\n${plural},\n  "a": "2"\n}`)).toEqual(['a'])
  })
})

describe('compareLocales', () => {
  it('finds a language that is not compiled, and a locale that is no language of the app', () => {
    expect(compareLocales(['en', 'de'], ['de', 'en'])).toEqual([])
    expect(compareLocales(['en', 'xx'], ['en', 'de'])).toEqual(['locales lack "de"', 'locales have "xx"'])
  })
})
