import { describe, expect, it } from 'vitest'
import { checkTranslation, isChecked } from './check-translation.ts'
import { readTerms, spokenWords } from './glossary.ts'
import { guessLanguage } from './language-rules.ts'
import german from './testing/pairs-de.json'
import spanish from './testing/pairs-es.json'
import french from './testing/pairs-fr.json'
import portuguese from './testing/pairs-pt.json'

type Pairs = { good: string[][]; traps: string[][] }

/** Translations from English that are right, and such as a model gets wrong. */
const LANGUAGES: Record<string, Pairs> = {
  de: german,
  es: spanish,
  fr: french,
  pt: portuguese,
}

const complaintsOf = ([source = '', text = '']: string[], to: string) =>
  checkTranslation({ source, text, from: 'en', to, terms: [] })

describe.each(Object.entries(LANGUAGES))('checkTranslation into %s', (to, { good, traps }) => {
  it('has at least twenty traps and as many good translations', () => {
    expect(traps.length).toBeGreaterThanOrEqual(20)
    expect(good.length).toBeGreaterThanOrEqual(20)
  })

  it('catches at least 95 % of the traps', () => {
    const missed = traps.filter((pair) => complaintsOf(pair, to).length === 0)
    expect(missed.length / traps.length, JSON.stringify(missed, null, 1)).toBeLessThanOrEqual(0.05)
  })

  it('refuses at most 5 % of the good translations', () => {
    const refused = good.flatMap((pair) => complaintsOf(pair, to).map((complaint) => [...pair, complaint]))
    expect(refused.length / good.length, JSON.stringify(refused, null, 1)).toBeLessThanOrEqual(0.05)
  })

  it('finds as little in a good translation that is read the other way round', () => {
    const refused = good.filter(
      ([source = '', text = '']) =>
        checkTranslation({ source: text, text: source, from: to, to: 'en', terms: [] }).length > 0,
    )
    expect(refused.length / good.length, JSON.stringify(refused, null, 1)).toBeLessThanOrEqual(0.1)
  })
})

describe('checkTranslation', () => {
  it('says what is wrong', () => {
    expect(complaintsOf(['Turn it 12 times.', 'Gírelo 21 veces.'], 'es')).toEqual([
      { kind: 'number', lost: ['12'], added: ['21'] },
    ])
    expect(complaintsOf(['Do not turn it.', 'Gírelo.'], 'es')).toEqual([{ kind: 'not_lost' }])
  })

  it('wants the words of the glossary as they are', () => {
    const pair = {
      source: 'Open the Klaro cover.',
      text: 'Abra la tapa clara.',
      from: 'en',
      to: 'es',
      terms: [{ word: 'Klaro', text: 'Klaro' }],
    }
    expect(checkTranslation(pair)).toEqual([{ kind: 'term', lost: ['Klaro'], added: [] }])
    expect(checkTranslation({ ...pair, text: 'Abra la tapa Klaro.' })).toEqual([])
  })

  it('compares placeholders and names of files in every language, and nothing that needs rules', () => {
    const pair = { from: 'en', to: 'pl', terms: [] }
    expect(checkTranslation({ ...pair, source: 'Open {name}.', text: 'Otwórz {nazwa}.' })).toHaveLength(1)
    expect(checkTranslation({ ...pair, source: 'Do not open 12.', text: 'Otwórz 21.' })).toEqual([])
    expect([isChecked('en', 'es'), isChecked('en', 'pl'), isChecked(null, 'es')]).toEqual([true, false, false])
  })

  it('keeps back what is too long to be compared', () => {
    expect(complaintsOf(['Open the lid.', 'abra '.repeat(5_000)], 'es')).toMatchObject([{ kind: 'too_long' }])
  })

  it('finds what was left out, and what was not translated at all', () => {
    const source = 'Loosen the two screws on the left side and take the cover off carefully.'
    expect(complaintsOf([source, ''], 'es')).toMatchObject([{ kind: 'empty' }])
    expect(complaintsOf([source, source], 'es')).toMatchObject([{ kind: 'untranslated' }])
    expect(complaintsOf([source, 'Afloje los dos tornillos.'], 'es')).toMatchObject([{ kind: 'shorter' }])
  })
})

describe('guessLanguage', () => {
  it.each([
    ['en', 'Now you open the lid and take the filter out of the box.'],
    ['es', 'Ahora abra la tapa y saque el filtro de la caja con las dos manos.'],
    ['de', 'Jetzt öffnen Sie den Deckel und nehmen die Patrone mit der Hand heraus.'],
    ['fr', 'Ouvrez le couvercle et sortez la cartouche de la boîte avec les deux mains.'],
    ['pt', 'Agora abra a tampa e retire o filtro da caixa com as duas mãos, não o molhe.'],
    [null, 'Otwórz pokrywę.'],
  ])('takes a text for %s', (language, text) => {
    expect(guessLanguage(text)).toBe(language)
  })
})

describe('readTerms', () => {
  it('takes names for words that stay, and leaves the common words of a glossary to the translator', () => {
    const namesOf = (glossary: string | null, from: string) =>
      readTerms({ glossary }, from, 'es').map(({ word }) => word)
    expect(namesOf('Klaro, latch; OF 1010\nrouter', 'en')).toEqual(['Klaro', 'OF 1010'])
    expect(namesOf('Oberfräse, Festool OF 1010, USB, Anschlag', 'de')).toEqual(['Festool OF 1010', 'USB'])
    expect(namesOf(null, 'en')).toEqual([])
  })

  it('takes the translation that the glossary has for a word, in its language alone', () => {
    const glossary = 'Klaro, spindle = husillo (es); spindle = Spindel (de), Torx = Torx (es)'
    expect(readTerms({ glossary }, 'en', 'es')).toEqual([
      { word: 'spindle', text: 'husillo' },
      { word: 'Torx', text: 'Torx' },
      { word: 'Klaro', text: 'Klaro' },
    ])
    expect(readTerms({ glossary }, 'en', 'de')).toContainEqual({ word: 'spindle', text: 'Spindel' })
    expect(spokenWords(glossary)).toBe('Klaro, spindle, Torx')
    expect(spokenWords('a, b\nc')).toBe('a, b\nc')
  })
})
