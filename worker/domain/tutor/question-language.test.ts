import { describe, expect, it } from 'vitest'
import { INTERFACE_LANGUAGES } from '#contract/languages.ts'
import { answerNotCovered, answerQuickPrompt } from './plan-answer.ts'
import { findTextLanguage, languageOfQuestion, QUICK_PROMPTS, readQuickPrompt } from './question-language.ts'

describe('languageOfQuestion', () => {
  it.each([
    ['en', 'Where is the fuse?'],
    ['es', '¿Dónde está el fusible de la máquina?'],
    ['de', 'Wo ist die Sicherung?'],
    ['fr', 'Où est le fusible ?'],
    ['pt', 'Onde está o fusível da máquina?'],
    ['pl', 'Gdzie są śruby?'],
    ['tr', 'Sigorta nasıl değiştirilir?'],
    ['ar', 'أين الصمام؟'],
    ['hi', 'फ़्यूज़ कहाँ है?'],
    ['zh', '保险丝在哪里？'],
    ['en', 'ISO 9001?'],
  ])('takes %s for that of %j', (tag, question) => {
    expect(languageOfQuestion(question)).toBe(tag)
  })
})

describe('findTextLanguage', () => {
  it.each([
    ['es', 'Gire el mando rojo hacia la izquierda y cierre la tapa.'],
    ['de', 'Lösen Sie die Mutter und heben Sie den Wagen an.'],
    ['en', 'The red one.'],
    [null, 'Hazet 953-19'],
  ])('finds %s in %j', (tag, text) => {
    expect(findTextLanguage(text)).toBe(tag)
  })
})

describe('the quick prompts', () => {
  it('the quick prompts are known in every language that the chat offers them in', () => {
    for (const tag of INTERFACE_LANGUAGES) {
      expect(readQuickPrompt(QUICK_PROMPTS.walk(tag))?.kind).toBe('walk')
      expect(readQuickPrompt(QUICK_PROMPTS.next(tag))?.kind).toBe('next')
      expect(answerQuickPrompt([], { question: QUICK_PROMPTS.next(tag) })?.isCovered).toBe(false)
    }
    expect(readQuickPrompt('?')).toBeNull()
  })
})

describe('what a video does not cover', () => {
  it('is said in the language of the question', () => {
    expect(answerNotCovered('Where is the fuse?', null).text).toBe('This video does not cover that.')
    const spanish = answerNotCovered('¿Dónde está el fusible de la máquina?', null).text
    expect(spanish).not.toBe('This video does not cover that.')
  })
})
